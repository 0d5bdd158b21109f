import type { Patch } from '../patch/index.js';
import type { RuleInput } from './finding.js';

export type LogLine = { readonly text: string; readonly mailLine: number };

/** The text of a mail above a patch's diff, cut the way git am and checkpatch cut it. */
export type LogLines = {
  /** Up to and with the first Signed-off-by, or up to the `---` or the diff. */
  readonly log: readonly LogLine[];
  /** Up to the `---` or the diff: the log with all its trailers. */
  readonly message: readonly LogLine[];
  /** All of it up to the diff: message, separator, change log and diffstat. */
  readonly all: readonly LogLine[];
  /** The line of `log` that is a Signed-off-by in any spelling, if one ended it. */
  readonly signedOff: boolean;
};

const kept = new WeakMap<Patch, LogLines>();

/** The lines above the diff of the patch; read once a patch. */
export function logLines(input: RuleInput): LogLines {
  const known = kept.get(input.patch);
  if (known !== undefined) return known;
  const lines = cut(above(input));
  kept.set(input.patch, lines);
  return lines;
}

// The first patch of a mail starts with the mail; a later one with its commit message.
function above(input: RuleInput): LogLine[] {
  const { message, patch, patchIndex } = input;
  const from = patchIndex === 0 ? 1 : Math.max(1, patch.log.mailLine);
  const firstFile = patch.files[0]?.mailLine;
  const lines = linesOf(message);
  const to = firstFile === undefined ? lines.length : firstFile - 1;
  const found = lines.slice(from - 1, to).map((text, at) => ({ text, mailLine: from + at }));
  if (message.subject !== '' || patchIndex > 0) return found;
  // What `git show` prints above its message is no part of it.
  const begin = found.findIndex(({ text }) => !/^(?:commit [0-9a-f]{7,}|[\w-]+:)/.test(text));
  return begin === -1 ? found : found.slice(begin);
}

const split = new WeakMap<object, readonly string[]>();

/** The lines of the mail's text; line n stands at n - 1. */
export function linesOf(message: RuleInput['message']): readonly string[] {
  const known = split.get(message);
  if (known !== undefined) return known;
  const lines = message.text.split('\n');
  split.set(message, lines);
  return lines;
}

function cut(all: LogLine[]): LogLines {
  // What looks like the begin of a diff ends the message too, whether or not a diff follows.
  const separator = all.findIndex(
    ({ text }) => text === '---' || text === '---\r' || /^(?:\+\+\+\s|diff --git )/.test(text),
  );
  const message = separator === -1 ? all : all.slice(0, separator);
  const signOff = message.findIndex(({ text }) => /^\s*signed-off-by:/i.test(text));
  return {
    log: signOff === -1 ? message : message.slice(0, signOff + 1),
    message,
    all,
    signedOff: signOff !== -1,
  };
}

/** Whether the input is the output of git diff and no commit or mail: nobody signs that or words it as one. */
export function isBareDiff(input: RuleInput): boolean {
  const { message } = input;
  return message.subject === '' && message.from === undefined && /^\n*diff --git /.test(message.text);
}

/** The first line of a diff that follows the message with no `---` line or sign-off to end it. */
export function runsIntoDiff(input: RuleInput): LogLine | undefined {
  const { message, all, signedOff } = logLines(input);
  if (input.patchIndex !== 0 || signedOff || message.length !== all.length) return undefined;
  const mailLine = all.length + 1;
  const text = linesOf(input.message)[mailLine - 1] ?? '';
  const begun = message.some((line) => line.text.trim() !== '');
  if (/^diff -/.test(text) && !text.startsWith('diff --git ')) {
    const next = linesOf(input.message)[mailLine] ?? '';
    return next.startsWith('--- ') ? { text: next, mailLine: mailLine + 1 } : undefined;
  }
  return begun && text.startsWith('--- ') ? { text, mailLine } : undefined;
}

/** Header field of the mail by its lower-case name, as it came but unfolded. */
export function headerOf(input: RuleInput, name: string): string | undefined {
  return input.message.headers.find((field) => field.name === name)?.value;
}

/** Whether the patch stands in a reply, where it is a suggestion that nobody signed or worded as a commit. */
export function isSuggestion(input: RuleInput): boolean {
  const { subject, inReplyTo } = input.message;
  if (/^\s*(?:re|aw|sv|antw|fwd?)\s*:/i.test(subject)) return true;
  return inReplyTo.length > 0 && !/\bpatch/i.test(input.patch.prefix);
}
