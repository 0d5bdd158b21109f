import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogue } from '../../core/delay/index.js';
import type { Profile } from '../../core/estimate/index.js';
import { plainKnowledge, type Kit, type Knowledge } from '../../core/review/index.js';
import { openCParser } from './c-parser.js';
import { packageRoot, programVersion } from './package-root.js';
import { unxz } from './unxz.js';

/** The checked content of `config/delays` and `config/profiles`, with the hash of the files that it was made from. */
export type CompiledData = {
  readonly hash: string;
  readonly catalogue: Catalogue;
  /** The profiles that apply without being asked for. */
  readonly profiles: readonly Profile[];
};

/** Opens what reading needs: the C parser (one a thread) and the catalogue that comes with the program. */
export async function openKit(options: { kernel?: string; defaultRules?: boolean } = {}): Promise<Kit> {
  const [parser, { catalogue }] = await Promise.all([openCParser(), shippedData()]);
  return { parser, catalogue, unxz, kernel: options.kernel, defaultRules: options.defaultRules };
}

/** The catalogue that comes with the program, with its hash. */
export async function openCatalogue(): Promise<{ catalogue: Catalogue; hash: string }> {
  const { catalogue } = await shippedData();
  return { catalogue, hash: catalogueHash() };
}

/** What a review knows without policy, store and tree. */
export async function openKnowledge(options: { hz?: number; kernel?: string } = {}): Promise<Knowledge> {
  const made = { program: programVersion(), catalogue: catalogueHash() };
  const { profiles } = await shippedData();
  return { ...plainKnowledge(made, profiles), hz: options.hz, kernel: options.kernel };
}

/** Names the catalogue that a review was made with. */
export function catalogueHash(): string {
  return hashOf(['delays']);
}

/** Where the build leaves the compiled data: reading a quarter of a megabyte of YAML takes longer than reviewing a patch. */
export function compiledDataPath(): string {
  return join(packageRoot(), 'dist', 'data.json');
}

/** Reads and checks the YAML files; what `npm run build` compiles. */
export async function compileData(): Promise<CompiledData> {
  const [{ loadCatalogue }, { loadProfiles }] = await Promise.all([import('./catalogue.js'), import('./profiles.js')]);
  return {
    hash: dataHash(),
    catalogue: loadCatalogue(join(packageRoot(), 'config', 'delays')),
    profiles: loadProfiles(join(packageRoot(), 'config', 'profiles')),
  };
}

let shipped: Promise<CompiledData> | undefined;

/** The compiled data where it was made from exactly the files that are there now; else the files themselves. */
function shippedData(): Promise<CompiledData> {
  // From source (tests) nothing is compiled, and what an older build left may be by another reader.
  const fromSource = import.meta.url.endsWith('.ts');
  shipped ??= Promise.resolve((fromSource ? undefined : readCompiled()) ?? compileData());
  return shipped;
}

function readCompiled(): CompiledData | undefined {
  let text: string;
  try {
    text = readFileSync(compiledDataPath(), 'utf8');
  } catch {
    return undefined; // the build was not finished
  }
  // Our own file, and the hash says of which build.
  const data = JSON.parse(text) as CompiledData;
  return data.hash === dataHash() ? data : undefined;
}

/** Of the program and its data: another version may read the same files otherwise. */
function dataHash(): string {
  return `${programVersion()}-${hashOf(['delays', 'profiles'])}`;
}

function hashOf(folders: readonly string[]): string {
  const hash = createHash('sha256');
  for (const folder of folders) {
    const path = join(packageRoot(), 'config', folder);
    for (const name of readdirSync(path).sort()) hash.update(name).update(readFileSync(join(path, name)));
  }
  return hash.digest('hex').slice(0, 16);
}
