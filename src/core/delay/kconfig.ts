import type { HunkLine, Patch, PatchFile } from '../patch/index.js';
import { languageOf } from './flavour.js';

/** A numeric default of a build option, as one side of a Kconfig hunk shows it. */
export type ConfigDefault = {
  readonly name: string;
  readonly value: string;
  readonly line: HunkLine;
  /** What the option asks, which may tell the unit. */
  readonly prompt?: string;
};

const OPTION = /^\s*(?:menu)?config\s+(\w+)\s*$/;
const DEFAULT = /^\s*default\s+((?:0x)?[\da-fA-F]+)\s*(?:#.*)?$/;

const PROMPT = /^\s*(?:int|hex|prompt)\s+"([^"]*)"/;
/** A line of a defconfig. */
const SET = /^(CONFIG_\w+)=(\d+)$/;

/** Unconditional numeric defaults of the options that one side of a Kconfig file's hunks shows. */
export function configDefaults(file: PatchFile, which: 'old' | 'new'): ConfigDefault[] {
  const skip = which === 'old' ? 'added' : 'removed';
  return file.hunks.flatMap((hunk) => {
    const found: ConfigDefault[] = [];
    let name = OPTION.exec(hunk.section.slice(0, 200))?.[1];
    let prompt: string | undefined;
    for (const line of hunk.lines) {
      if (line.kind === skip) continue;
      const text = line.text.slice(0, 200);
      const set = SET.exec(text);
      if (set?.[1] !== undefined && set[2] !== undefined) found.push({ name: set[1], value: set[2], line });
      const option = OPTION.exec(text)?.[1];
      if (option !== undefined) [name, prompt] = [option, undefined];
      prompt = PROMPT.exec(text)?.[1] ?? prompt;
      const value = DEFAULT.exec(text)?.[1];
      if (name !== undefined && value !== undefined)
        found.push({ name: `CONFIG_${name}`, value, line, ...(prompt === undefined ? {} : { prompt }) });
    }
    return found;
  });
}

/** What build options come to where nobody sets them: names with one default only. */
export function configMeanings(patches: readonly Patch[], which: 'old' | 'new'): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const several = new Set<string>();
  for (const patch of patches) {
    for (const file of patch.files) {
      if (languageOf(file.path) !== 'kconfig') continue;
      for (const d of configDefaults(file, which)) {
        if ((values.get(d.name) ?? d.value) !== d.value) several.add(d.name);
        values.set(d.name, d.value);
      }
    }
  }
  for (const name of several) values.delete(name);
  return values;
}
