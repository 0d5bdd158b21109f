import { isElision, nothing, type Unquoted } from './quoting.js';
import { parseLogLine } from './log-line.js';

export type Label = { readonly label: 'before' | 'after'; readonly by: string };

const beforeWords =
  /\b(?:before|without|w\/o|unpatched|unmodified|original(?:ly)?|baseline|stock|vanilla|mainline|old|prior to|not applied|reverted)\b|(?:^|\W)base(?:$|\W)/gi;
const afterWords =
  /\b(?:after(?:wards)?|with|patched|modified|improved|optimi[sz]ed|now|new|applied)\b|(?:^|\s)w\/(?!o\b)/gi;

/**
 * `before` or `after` by the words of a heading. The first such word decides (`after applying`, `with the old patch` is
 * rare, `without this patch` is not `with`); nothing where none stands.
 */
export function labelOf(heading: string): Label | undefined {
  const text = heading.slice(0, 400);
  const before = firstIndex(beforeWords, text);
  const after = firstIndex(afterWords, text);
  if (before === undefined && after === undefined) return undefined;
  // `before/after comparison:` heads both.
  if (before !== undefined && after !== undefined && /before\W{0,3}(?:and|\/|&|vs\.?)?\W{0,3}after/i.test(text))
    return undefined;
  const label = after === undefined || (before !== undefined && before <= after) ? 'before' : 'after';
  return { label, by: text.trim().slice(0, 80) };
}

function firstIndex(words: RegExp, text: string): number | undefined {
  words.lastIndex = 0;
  return words.exec(text)?.index;
}

const promptLine = /^(?:[#$] |\S{1,40}@\S{1,40}[:~])/;
const inheriting = /^[-*=#\s]*(?:run|boot|test|try|attempt|iteration|round|sample)?\s{0,2}#?\d{1,3}[.:)\s-]*$/i;

/**
 * The label of a block of log lines that begins at `start` (0-based), by the words above it: the nearest heading, over
 * blank lines, prompts and `...`. `Run 2:` takes the label of the block before.
 */
export function findLabel(lines: readonly Unquoted[], start: number, previous: Label | undefined): Label | undefined {
  let at = start - 1;
  let blanks = 0;
  for (; at >= 0 && start - at < 10; at--) {
    const { text } = lines[at] ?? nothing;
    if (text === '') {
      if (++blanks > 3) return undefined;
      continue;
    }
    if (isElision(text) || promptLine.test(text) || /^[-=~_*+`'"]{3,}$/.test(text)) continue;
    break;
  }
  if (at < 0) return undefined;
  const nearest = (lines[at] ?? nothing).text;
  if (parseLogLine(nearest) !== undefined) return undefined;
  if (inheriting.test(nearest)) return previous;
  const paragraph: string[] = [];
  for (let i = at; i >= 0 && at - i < 5; i--) {
    const { text } = lines[i] ?? nothing;
    if (text === '' || parseLogLine(text) !== undefined) break;
    paragraph.unshift(text);
    if (i < at && text.endsWith(':')) {
      paragraph.shift();
      break;
    }
  }
  const sentence = lastSentence(paragraph.join(' '));
  const heads = /:[-\s]{0,3}$/.test(sentence) || /[\])>=*#-]$/.test(sentence);
  if (!heads && sentence.length > 60) return undefined;
  return labelOf(sentence);
}

function lastSentence(text: string): string {
  const cut = text.slice(-600);
  let from = 0;
  for (let i = cut.length - 3; i > 0; i--) {
    if ((cut[i] === '.' || cut[i] === '?' || cut[i] === '!') && cut[i + 1] === ' ' && !/\d/.test(cut[i - 1] ?? '')) {
      from = i + 2;
      break;
    }
  }
  return cut.slice(from);
}
