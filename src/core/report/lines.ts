import { wrap } from '../reply/index.js';

/** Columns of a report that is pasted into mail. */
export const reportWidth = 72;

/** Strangers' text on one line: controls and signs that turn the writing direction are shown, not obeyed. */
export function plainLine(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g, '\u00b7');
}

/** `name` in a column of its own, `text` broken at blanks beside it; words that are too long are cut at the width. */
export function entry(name: string, text: string, indent = 3, column = 11): string[] {
  const left = ' '.repeat(indent) + name.padEnd(column);
  return wrapped(plainLine(text), reportWidth - left.length).map((line, at) =>
    `${at === 0 ? left : ' '.repeat(left.length)}${line}`.trimEnd(),
  );
}

/** A paragraph of strangers' words within a width: unlike a reply's, a word that is too long is broken. */
export function wrapped(text: string, width = reportWidth): string[] {
  return wrap(text, width).flatMap((line) => {
    const parts: string[] = [];
    for (let at = 0; at < line.length; at += width) parts.push(line.slice(at, at + width));
    return parts;
  });
}

/** `count` things, with the plural that English has. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
