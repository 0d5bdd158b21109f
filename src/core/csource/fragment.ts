import { findAssigns, findEnums, type Assign, type EnumConstant } from './assigns.js';
import { scanBlocks, type Block } from './blocks.js';
import { readDefine, type Define } from './calls.js';
import { tokenise, type Token } from './lexer.js';
import { SIDE_CAP, type CParser } from './parser.js';
import { once } from './once.js';
import { indentAt, inferBlocks, type CarriedBlock } from './infer.js';
import { syntaxBlocks } from './syntax.js';

/** What can be seen in one side of one hunk, or in a whole file. Lines are 0-based in `text`. */
export type Fragment = {
  readonly text: string;
  readonly tokens: readonly Token[];
  /** Worked out when they are first asked for: most fragments hold nothing that somebody wants to know the place of. */
  readonly blocks: () => readonly Block[];
  readonly defines: readonly Define[];
  readonly assigns: readonly Assign[];
  readonly enums: readonly EnumConstant[];
  /** The function that the fragment starts in, by the hunk's section line, if it starts in one at all. */
  readonly startsIn?: string;
};

export type ReadOptions = {
  readonly parser?: CParser;
  /** The hunk before in the same file and on the same side: its open loops may still be open here. */
  readonly before?: Fragment;
  readonly cap?: number;
};

/** Reads a fragment of C. `section` is what stands after the second @@ of the hunk. Without a parser, blocks come from the scanner alone. */
export function readFragment(whole: string, section: string, options: ReadOptions = {}): Fragment {
  const { parser, before, cap = SIDE_CAP } = options;
  const text = whole.length > cap ? whole.slice(0, cap) : whole;
  const tokens = tokenise(text);
  const scanned = scanBlocks(tokens, text.length);
  const named = startsInside(tokens, scanned, text) ? sectionFunction(section) : undefined;
  const blocks = once((): readonly Block[] => {
    const carried = named !== undefined && before !== undefined && endsIn(before) === named ? openBlocks(before) : [];
    const read = (parser && syntaxBlocks(tokens, text, scanned, parser)) ?? scanned;
    const found = [...inferBlocks(tokens, read, text, carried), ...ifdefs(tokens, text.length)];
    return found.sort((a, b) => a.start - b.start || b.end - a.end);
  });
  return {
    text,
    tokens,
    blocks,
    defines: tokens.flatMap((t) => (t.kind === 'directive' ? (readDefine(t) ?? []) : [])),
    assigns: findAssigns(tokens),
    enums: findEnums(tokens),
    ...(named === undefined ? {} : { startsIn: named }),
  };
}

/** The function that a fragment ends in. */
function endsIn(fragment: Fragment): string | undefined {
  const last = fragment.blocks().findLast((b) => b.kind === 'function');
  if (last !== undefined) return last.open ? last.name : undefined;
  return fragment.blocks().some((b) => b.cut && isColumnZero(fragment.text, b.end - 1)) ? undefined : fragment.startsIn;
}

function openBlocks(fragment: Fragment): CarriedBlock[] {
  return fragment
    .blocks()
    .filter((b) => b.open && b.kind !== 'function' && b.kind !== 'ifdef')
    .map((b) => ({ block: b, indent: indentAt(fragment.text, b.start) }));
}

/** Blocks around an offset, outermost first. */
export function enclosing(fragment: Fragment, offset: number): Block[] {
  return fragment.blocks().filter((b) => b.start <= offset && offset < b.end);
}

/** The function around an offset: a definition in the fragment, else the one that the fragment starts in. */
export function functionAt(fragment: Fragment, offset: number): string | undefined {
  const { functions, firstEnd } = outlineOf(fragment);
  const around = functions.findLast((b) => b.start <= offset && offset < b.end);
  if (around?.name !== undefined) return around.name;
  return offset < firstEnd ? fragment.startsIn : undefined;
}

type Outline = { readonly functions: readonly Block[]; readonly firstEnd: number };
const outlines = new WeakMap<Fragment, Outline>();

/** The functions of a fragment: asked for with every name that is looked up, so found once. */
function outlineOf(fragment: Fragment): Outline {
  const known = outlines.get(fragment);
  if (known !== undefined) return known;
  const outline = {
    functions: fragment.blocks().filter((b) => b.kind === 'function'),
    firstEnd: endOfFirst(fragment),
  };
  outlines.set(fragment, outline);
  return outline;
}

/** Where the function that the fragment starts in ends. */
function endOfFirst(fragment: Fragment): number {
  const firstDefinition = fragment.blocks().find((b) => b.kind === 'function')?.start ?? fragment.text.length;
  let end = firstDefinition;
  for (const block of fragment.blocks()) {
    if (block.cut && isColumnZero(fragment.text, block.end - 1)) end = Math.min(end, block.end);
  }
  return end;
}

/** A closing brace in column 0 ends a function. */
function isColumnZero(text: string, offset: number): boolean {
  if (text[offset] !== '}' && text[offset] !== '{') return false;
  return offset === 0 || text[offset - 1] === '\n';
}

/** The fragment starts in a function: a brace in column 0 closes it, or its first code is indented. */
function startsInside(tokens: readonly Token[], blocks: readonly Block[], text: string): boolean {
  const definition = blocks.find((b) => b.kind === 'function')?.start ?? text.length;
  const closes = blocks.some((b) => b.cut && b.start === 0 && b.end <= definition && isColumnZero(text, b.end - 1));
  if (closes) return true;
  for (const token of tokens) {
    if (token.start >= definition) return false;
    if (token.kind === 'directive') continue;
    if (token.text === '{' && isColumnZero(text, token.start)) return true;
    const before = text.slice(text.lastIndexOf('\n', token.start - 1) + 1, token.start);
    if (before.trim() === '' && before !== '') return true;
    // A label of goto stands in column 0, too.
    const isFirst = before === '';
    if (isFirst && token.kind === 'name' && /^\w+[ \t]*:(?!:)/.test(text.slice(token.start, token.start + 80)))
      continue;
    if (isFirst) return false;
  }
  return false;
}

/** The function that a hunk's section line names: the last name before its first bracket at the top. */
export function sectionFunction(section: string): string | undefined {
  const tokens = tokenise(section);
  for (const [i, token] of tokens.entries()) {
    if (token.text === '=' || token.kind === 'directive') return undefined;
    if (token.text === '(') {
      const before = tokens[i - 1];
      if (before?.kind === 'name' && !/^(?:__attribute__|if|while|for|switch|return|DEFINE\w*)$/.test(before.text))
        return before.text;
    }
  }
  if (tokens.some((t) => /^(?:struct|union|enum)$/.test(t.text)) && tokens.at(-1)?.text === '{') return undefined;
  return undefined;
}

/** #if ... #endif as blocks, so that they count as guards. */
function ifdefs(tokens: readonly Token[], length: number): Block[] {
  const found: Block[] = [];
  const open: { start: number; line: number; head: string }[] = [];
  for (const token of tokens) {
    if (token.kind !== 'directive') continue;
    const word = /^#[ \t]*(ifdef|ifndef|if|elif|else|endif)\b[ \t]*(.*)/.exec(token.text);
    if (word === null) continue;
    const head = `${word[1] ?? ''} ${word[2] ?? ''}`.trim();
    if (word[1] !== undefined && /^(?:el|endif)/.test(word[1])) {
      const top = open.pop();
      if (top !== undefined) {
        found.push({ kind: 'ifdef', ...top, end: token.start, endLine: token.line });
        if (word[1] !== 'endif') open.push({ start: token.end, line: token.line, head: `${head} of ${top.head}` });
      }
    } else open.push({ start: token.end, line: token.line, head });
  }
  for (const top of open) found.push({ kind: 'ifdef', ...top, end: length, endLine: Number.MAX_SAFE_INTEGER });
  return found;
}
