const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Whether a line separates two mails of an mbox: `From `, and a date with time and year somewhere behind it. */
export function isMboxSeparator(line: string): boolean {
  if (!line.startsWith('From ') || line.length > 400) return false;
  return /\d:\d\d/.test(line) && /\b(?:19|20)\d\d\b/.test(line) && months.some((month) => line.includes(` ${month} `));
}

/** A mail as an mboxrd entry: separator, body with `>` before every `From ` that may have some already, blank line. */
export function writeMboxEntry(mail: Uint8Array): Uint8Array {
  const source = Buffer.from(mail);
  const pieces: Buffer[] = [Buffer.from('From mboxrd@z Thu Jan  1 00:00:00 1970\n')];
  let copied = 0;
  for (let at = source.indexOf('From '); at >= 0; at = source.indexOf('From ', at + 1)) {
    const line = startOfQuoteRun(source, at);
    if (line === undefined) continue;
    pieces.push(source.subarray(copied, line), Buffer.from('>'));
    copied = line;
  }
  pieces.push(source.subarray(copied), Buffer.from(source.at(-1) === 10 ? '\n' : '\n\n'));
  return Buffer.concat(pieces);
}

/** Takes the `>` away that mboxrd put before `From `. */
export function unescapeMboxrd(mail: Uint8Array): Uint8Array {
  const source = Buffer.from(mail.buffer, mail.byteOffset, mail.length);
  const pieces: Buffer[] = [];
  let copied = 0;
  for (let at = source.indexOf('>From '); at >= 0; at = source.indexOf('>From ', at + 1)) {
    const line = startOfQuoteRun(source, at + 1);
    if (line === undefined) continue;
    pieces.push(source.subarray(copied, line));
    copied = line + 1;
  }
  return copied === 0 && pieces.length === 0 ? mail : Buffer.concat([...pieces, source.subarray(copied)]);
}

/** The start of the line if nothing but `>` stands on it before `at`. */
function startOfQuoteRun(source: Buffer, at: number): number | undefined {
  let start = at;
  while (start > 0 && source[start - 1] === 62) start--;
  return start === 0 || source[start - 1] === 10 ? start : undefined;
}
