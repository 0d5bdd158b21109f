import { functionAt, once } from '../csource/index.js';
import { HEADER_CONSTANTS } from './header-constants.js';
import { callsSeen, type CallsSeen } from './parameters.js';
import type { Side } from './side.js';
import type { Lookup, Meaning } from './value.js';

/** What the names of one side of a mail mean: #defines, enums, constants and single assignments that can be seen. */
export type Scope = {
  /** The calls of the mail's own functions, found when they are first asked for: few values need them. */
  readonly calls: () => CallsSeen;
  readonly defines: ReadonlyMap<string, Meaning>;
  readonly perFile: ReadonlyMap<string, ReadonlyMap<string, Meaning>>;
  readonly members: ReadonlyMap<string, Meaning | 'several'>;
  /** By file, function and name; found when they are first asked for, because what function something is in takes a syntax tree. */
  readonly locals: () => ReadonlyMap<string, Meaning | 'several'>;
};

/** What names mean before and after. */
export type Scopes = { readonly old: Scope; readonly new: Scope };

/** Gathers the definitions on one side of all hunks; later patches of a mail see those of earlier ones. `options` are the defaults of build options. */
export function gather(sides: readonly Side[], options: ReadonlyMap<string, string> = new Map()): Scope {
  const defines = new Map<string, Meaning>();
  for (const [name, text] of options) defines.set(name, { text, from: 'define' });
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
      if (member !== undefined) note(members, member, a.value);
    }
  }
  return { defines, perFile, members, locals: once(() => localsOf(sides)), calls: once(() => callsSeen(sides)) };
}

function localsOf(sides: readonly Side[]): Map<string, Meaning | 'several'> {
  const locals = new Map<string, Meaning | 'several'>();
  for (const side of sides) {
    for (const a of side.fragment.assigns) {
      if (a.operator === '=' && /^\w+$/.test(a.target)) note(locals, localKey(side, a.start, a.target), a.value);
    }
    for (const [name, at] of steppedNames(side)) locals.set(localKey(side, at, name), 'several');
  }
  return locals;
}

function note(map: Map<string, Meaning | 'several'>, key: string, text: string): void {
  const known = map.get(key);
  if (known === undefined) map.set(key, { text, from: 'local', choices: [text] });
  else if (known !== 'several' && known.choices?.includes(text) !== true)
    map.set(key, eitherOf([...(known.choices ?? []), text]));
}

/** One of several: what it comes to spans them all. More than a few, or something that is worked out again, is not known. */
function eitherOf(choices: readonly string[]): Meaning | 'several' {
  if (choices.length > 6 || choices.some((c) => c.length > 200)) return 'several';
  const text = choices.reduceRight((rest, c) => (rest === '' ? `(${c})` : `(1 ? (${c}) : ${rest})`), '');
  return { text, from: 'local', choices };
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
    return (
      local(scope, side, name, offset) ??
      parameter(scope, side, name, offset) ??
      fileVariable(scope, side, name) ??
      headerConstant(side, name)
    );
  };
}

/** A variable that is assigned in what can be seen of its function, and never stepped. */
function local(scope: Scope, side: Side, name: string, offset: number): Meaning | undefined {
  const meaning = scope.locals().get(localKey(side, offset, name));
  return meaning === undefined || meaning === 'several' ? undefined : meaning;
}

/** A parameter of the function: what the calls in sight give it. */
function parameter(scope: Scope, side: Side, name: string, offset: number): Meaning | undefined {
  const around = functionAt(side.fragment, offset);
  const given = around === undefined ? undefined : scope.calls().given.get(`${around} ${name}`);
  const meaning = given === undefined ? undefined : eitherOf(given);
  return meaning === undefined || meaning === 'several' ? undefined : meaning;
}

/** A variable of the file, such as a module parameter: its initialiser is what it is unless somebody sets it. */
function fileVariable(scope: Scope, side: Side, name: string): Meaning | undefined {
  const meaning = scope.locals().get(`${side.file.path}  ${name}`);
  return meaning === undefined || meaning === 'several' ? undefined : meaning;
}

function headerConstant(side: Side, name: string): Meaning | undefined {
  const known = side.flavour === 'linux' ? HEADER_CONSTANTS.get(name) : undefined;
  if (known === undefined || !side.file.path.startsWith(known.under ?? '')) return undefined;
  return { text: known.text, from: 'header' };
}

function localKey(side: Side, offset: number, name: string): string {
  return `${side.file.path} ${functionAt(side.fragment, offset) ?? ''} ${name}`;
}

/** Variables that a side steps: `i++`, `--retries`, `delay *= 2`. */
function steppedNames(side: Side): Map<string, number> {
  const found = new Map<string, number>();
  for (const [i, token] of side.fragment.tokens.entries()) {
    if (token.text !== '++' && token.text !== '--') continue;
    for (const near of [side.fragment.tokens[i + 1], side.fragment.tokens[i - 1]]) {
      if (near?.kind === 'name') found.set(near.text, near.start);
    }
  }
  for (const a of side.fragment.assigns) if (a.operator !== '=' && /^\w+$/.test(a.target)) found.set(a.target, a.start);
  return found;
}
