/** Header fields that stand in a mail's text: in-body headers, or the head of a forwarded or pasted mail. */
export type InBodyHeaders = { readonly from?: string; readonly subject?: string; readonly date?: string };

export type MailBlock = { readonly headers: InBodyHeaders; readonly next: number };

const longestBlock = 80;
const longestLine = 2000;
// "From <sha> Mon Sep 17 00:00:00 2001" of git format-patch, or any mbox separator with a full date; quoted as mboxo
// does, or with the blank that format=flowed puts before it (RFC 3676 section 4.4).
const separator = /^>?From \S{1,200} {1,4}(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} {1,2}\d{1,2} \d\d:\d\d/;
const field = /^([A-Za-z][A-Za-z0-9-]{1,60}):(?:[ \t](.*))?$/s;
const marks =
  /^(?:-{2,} ?(?:original message|forwarded message|ursprüngliche nachricht|message d'origine|原始邮件|转发邮件信息|邮件原件)|begin forwarded message:)/i;

/** Whether a line is an mbox or format-patch separator. */
export function isSeparator(line: string): boolean {
  return line.slice(0, 6).includes('From ') && separator.test(line.slice(0, longestLine));
}

/** Whether a line announces a whole mail below it, quoted without marks or forwarded. */
export function isForwardMark(line: string): boolean {
  return line.length < 200 && marks.test(line.trim());
}

/**
 * Reads the head of a whole mail at `at`: field lines up to an empty one, with a Subject and a From or Date among them.
 * Bounded: a head has at most eighty lines.
 */
export function readMailBlock(lines: readonly string[], at: number, end: number): MailBlock | undefined {
  const from = isSeparator(lines[at] ?? '') ? at + 1 : at;
  const found: { from?: string; subject?: string; date?: string } = {};
  let current: keyof typeof found | undefined;
  let below = from;
  for (; below < Math.min(end, from + longestBlock); below++) {
    const line = (lines[below] ?? '').slice(0, longestLine).replace(/\r$/, '');
    if (line.trim() === '') break;
    const folded = /^[ \t]/.test(line) && below > from;
    if (folded) {
      if (current !== undefined) found[current] = `${found[current] ?? ''} ${line.trim()}`;
      continue;
    }
    const match = field.exec(line);
    if (match === null) return undefined;
    const name = (match[1] ?? '').toLowerCase();
    current = name === 'from' || name === 'subject' || name === 'date' ? name : undefined;
    if (current !== undefined) found[current] = (match[2] ?? '').trim();
  }
  if (found.subject === undefined || (found.from === undefined && found.date === undefined)) return undefined;
  return { headers: found, next: below };
}

/** Whether a block is the head that Outlook puts over an answered mail: From, Sent, To, Subject. */
export function isAnsweredHead(lines: readonly string[], at: number, end: number): boolean {
  for (let below = at; below < Math.min(end, at + 6); below++) {
    if (/^(?:Sent|Gesendet|Envoyé|发送时间): /.test(lines[below] ?? '')) return true;
  }
  return false;
}

/** Whether a line is a scissors line by git's rule (mailinfo.c, is_scissors_line). */
export function isScissorsLine(line: string): boolean {
  if (line.length > longestLine || !/8<|>8|%<|>%/.test(line)) return false;
  let perforation = 0;
  let gap = 0;
  let inPerforation = false;
  const text = line.trim();
  for (let at = 0; at < text.length; at++) {
    const pair = text.slice(at, at + 2);
    if (/\s/.test(text[at] ?? '')) {
      if (inPerforation) {
        perforation++;
        gap++;
      }
    } else if (text[at] === '-') {
      inPerforation = true;
      perforation++;
    } else if (pair === '8<' || pair === '>8' || pair === '%<' || pair === '>%') {
      inPerforation = true;
      perforation += 2;
      at++;
    } else {
      inPerforation = false;
    }
  }
  return text.length >= 8 && text.length < perforation * 3 && gap * 2 < perforation;
}
