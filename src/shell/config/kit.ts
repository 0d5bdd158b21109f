import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Catalogue } from '../../core/delay/index.js';
import { plainKnowledge, type Kit, type Knowledge } from '../../core/review/index.js';
import { openCParser } from './c-parser.js';
import { loadCatalogue } from './catalogue.js';
import { packageRoot, programVersion } from './package-root.js';
import { loadProfiles } from './profiles.js';
import { unxz } from './unxz.js';

/** Opens what reading needs: the C parser (one a thread) and the catalogue that comes with the program. */
export async function openKit(options: { kernel?: string } = {}): Promise<Kit> {
  const catalogue = loadCatalogue(join(packageRoot(), 'config', 'delays'));
  return { parser: await openCParser(), catalogue, unxz, kernel: options.kernel };
}

/** The catalogue that comes with the program, with its hash. */
export function openCatalogue(): { catalogue: Catalogue; hash: string } {
  return { catalogue: loadCatalogue(join(packageRoot(), 'config', 'delays')), hash: catalogueHash() };
}

/** What a review knows without policy, store and tree. */
export function openKnowledge(options: { hz?: number; kernel?: string } = {}): Knowledge {
  const made = { program: programVersion(), catalogue: catalogueHash() };
  return {
    ...plainKnowledge(made, loadProfiles(join(packageRoot(), 'config', 'profiles'))),
    hz: options.hz,
    kernel: options.kernel,
  };
}

/** Names the catalogue that a review was made with. */
export function catalogueHash(): string {
  const hash = createHash('sha256');
  const folder = join(packageRoot(), 'config', 'delays');
  for (const name of readdirSync(folder).sort()) hash.update(name).update(readFileSync(join(folder, name)));
  return hash.digest('hex').slice(0, 16);
}
