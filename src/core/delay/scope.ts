import type { Assign } from '../csource/index.js';
import type { Side } from './side.js';
import type { Lookup, Meaning } from './value.js';

/** What the names of one side of a mail mean: #defines, enums, constants and single assignments that can be seen. */
export type Scope = {
  readonly defines: ReadonlyMap<string, Meaning>;
  readonly perFile: ReadonlyMap<string, ReadonlyMap<string, Meaning>>;
  readonly members: ReadonlyMap<string, Meaning | 'several'>;
};

/** Gathers the definitions on one side of all hunks; later patches of a mail see those of earlier ones. */
export function gather(sides: readonly Side[]): Scope {
  const defines = new Map<string, Meaning>();
  const perFile = new Map<string, Map<string, Meaning>>();
  const members = new Map<string, Meaning | 'several'>();
  for (const side of sides) {
    const path = side.file.path;
    const own = perFile.get(path) ?? new Map<string, Meaning>();
    perFile.set(path, own);
    const put = (name: string, meaning: Meaning): void => {
      own.set(name, meaning);
      defines.set(name, meaning);
    };
    for (const d of side.fragment.defines) {
      if (d.body === '') continue;
      put(d.name, { text: d.body, from: 'define', ...(d.params === undefined ? {} : { params: d.params }) });
    }
    for (const e of side.fragment.enums) put(e.name, { text: e.value, from: 'define' });
    for (const a of side.fragment.assigns) {
      if (a.operator !== '=') continue;
      if (a.constant && /^\w+$/.test(a.target)) put(a.target, { text: a.value, from: 'define' });
      const member = memberOf(a.target);
      if (member === undefined) continue;
      const known = members.get(member);
      if (known === undefined) members.set(member, { text: a.value, from: 'local' });
      else if (known !== 'several' && known.text !== a.value) members.set(member, 'several');
    }
  }
  return { defines, perFile, members };
}

/** The last member of `hba->delay_us`, `.delay_us`; none for a plain variable. */
function memberOf(target: string): string | undefined {
  return /(?:->|\.)(\w+)$/.exec(target)?.[1];
}

/** Names as they are seen from one place: locals of the function, then the file, then the mail. */
export function lookupAt(scope: Scope, side: Side, offset: number): Lookup {
  const own = scope.perFile.get(side.file.path);
  return (name) => {
    const file = own?.get(name) ?? scope.defines.get(name);
    if (file !== undefined) return file;
    const member = memberOf(name);
    if (member !== undefined) {
      const meaning = scope.members.get(member);
      return meaning === undefined || meaning === 'several' ? undefined : meaning;
    }
    return local(side, name, offset);
  };
}

/** A variable that is assigned once in what can be seen of its function, and never stepped. */
function local(side: Side, name: string, offset: number): Meaning | undefined {
  const block = side.fragment.blocks.findLast((b) => b.kind === 'function' && b.start <= offset && offset < b.end);
  const assigns = side.fragment.assigns.filter(
    (a: Assign) => a.target === name && (block === undefined || (a.start >= block.start && a.end <= block.end)),
  );
  const [only] = assigns;
  if (only === undefined || assigns.some((a) => a.operator !== '=' || a.value !== only.value)) return undefined;
  if (only.start > offset || isStepped(side, name)) return undefined;
  return { text: only.value, from: 'local' };
}

export function isStepped(side: Side, name: string): boolean {
  const tokens = side.fragment.tokens;
  return tokens.some(
    (t, i) => (t.text === '++' || t.text === '--') && (tokens[i + 1]?.text === name || tokens[i - 1]?.text === name),
  );
}
