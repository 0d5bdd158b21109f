/** A small reader of plain format-patch mails, for the rules' fixtures: unencoded headers, one patch, LF or CRLF. */
import type { RuleInput } from '../../src/core/rules/index.js';
import type { Message } from '../../src/core/mail/index.js';
import type { HunkLine, Patch, PatchFile } from '../../src/core/patch/index.js';

export function plainInput(mail: string): RuleInput {
  const { headers, body } = split(mail.replace(/\r\n/g, '\n'));
  const header = (name: string): string | undefined => headers.find((field) => field.name === name)?.value;
  const from = person(header('from') ?? '');
  const message: Message = {
    ...(from === undefined ? {} : { from }),
    replyTo: [],
    to: [],
    cc: [],
    subject: header('subject') ?? '',
    inReplyTo: words(header('in-reply-to')),
    references: words(header('references')),
    lists: [],
    headers,
    text: body,
    attachments: [],
    problems: [],
  };
  const patch = readPatch(message);
  return { message, patch, patchIndex: 0, changes: [], evidence: { logs: [], claims: [], measurements: [] } };
}

function split(mail: string): { headers: { name: string; value: string }[]; body: string } {
  const text = mail.startsWith('From ') ? mail.slice(mail.indexOf('\n') + 1) : mail;
  const end = text.indexOf('\n\n');
  const head = text
    .slice(0, end === -1 ? 0 : end)
    .replace(/\n[ \t]+/g, ' ')
    .split('\n');
  const headers = head.flatMap((line) => {
    const at = line.indexOf(':');
    return at < 1 ? [] : [{ name: line.slice(0, at).toLowerCase(), value: line.slice(at + 1).trim() }];
  });
  return { headers, body: end === -1 ? text : text.slice(end + 2) };
}

function words(value: string | undefined): string[] {
  return value?.split(/\s+/).filter((word) => word !== '') ?? [];
}

function person(value: string): { name: string; address: string } | undefined {
  const match = /^"?([^"<]*?)"?\s*<([^>]+)>/.exec(value);
  if (match !== null) return { name: match[1] ?? '', address: match[2] ?? '' };
  return value.includes('@') ? { name: '', address: value } : undefined;
}

function readPatch(message: Message): Patch {
  const lines = message.text.split('\n');
  const subject = /^((?:\s*\[[^\]]*\])*)\s*(.*)$/.exec(message.subject);
  const prefix = (subject?.[1] ?? '').replace(/^\s*\[|\]\s*$/g, '');
  const count = /(\d+)\/(\d+)/.exec(prefix);
  const diff = lines.findIndex((line) => /^diff --git |^--- a\//.test(line));
  const above = diff === -1 ? lines : lines.slice(0, diff);
  const mark = above.indexOf('---');
  const log = mark === -1 ? above : above.slice(0, mark);
  const inBody = person(/^From:\s*(.*)$/.exec(log[0] ?? '')?.[1] ?? '');
  const author = inBody ?? message.from;
  return {
    title: subject?.[2] ?? '',
    prefix,
    tags: prefix.split(/[\s,]+/).filter((word) => word !== '' && !/^(?:PATCH|v\d+|\d+\/\d+)$/i.test(word)),
    version: Number(/\bv(\d+)/i.exec(prefix)?.[1] ?? 1),
    ...(count === null ? {} : { index: Number(count[1]), total: Number(count[2]) }),
    ...(author === undefined ? {} : { author }),
    log: { lines: log, mailLine: 1 },
    trailers: [],
    notes: { lines: mark === -1 ? [] : above.slice(mark + 1), mailLine: mark + 2 },
    files: diff === -1 ? [] : readFiles(lines, diff),
    problems: [],
  };
}

function readFiles(lines: readonly string[], start: number): PatchFile[] {
  type Open = { -readonly [K in keyof PatchFile]: PatchFile[K] } & { hunks: PatchFile['hunks'][number][] };
  const files: Open[] = [];
  let at = start;
  while (at < lines.length) {
    const text = lines[at] ?? '';
    const git = /^diff --git a\/(\S+) b\/(\S+)/.exec(text);
    const plus = /^\+\+\+ (?:b\/)?(\S+)/.exec(text);
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@ ?(.*)$/.exec(text);
    const last = files.at(-1);
    if (git !== null || (plus !== null && last === undefined)) {
      const path = git?.[2] ?? plus?.[1] ?? '';
      files.push({ path, status: 'modified', binary: false, added: 0, removed: 0, mailLine: at + 1, hunks: [] });
    } else if (last !== undefined && /^(?:new file mode|new mode) /.test(text)) {
      last.newMode = text.split(' ').at(-1);
      if (text.startsWith('new file')) last.status = 'added';
    } else if (last !== undefined && /^rename from /.test(text)) last.status = 'renamed';
    else if (last !== undefined && /^deleted file/.test(text)) last.status = 'deleted';
    else if (hunk !== null && last !== undefined) {
      const [oldStart, oldCount, newStart, newCount] = [1, 2, 3, 4].map((n) => Number(hunk[n] ?? 1));
      const read = readHunk(lines, at + 1, Number(oldStart), Number(oldCount), Number(newStart), Number(newCount));
      last.hunks.push({
        oldStart: Number(oldStart),
        oldCount: Number(oldCount),
        newStart: Number(newStart),
        newCount: Number(newCount),
        section: hunk[5] ?? '',
        mailLine: at + 1,
        lines: read.lines,
      });
      at = read.next;
      continue;
    }
    at++;
  }
  return files;
}

function readHunk(
  lines: readonly string[],
  start: number,
  oldStart: number,
  oldCount: number,
  newStart: number,
  newCount: number,
): { lines: HunkLine[]; next: number } {
  const found: HunkLine[] = [];
  let [oldNumber, newNumber, at] = [oldStart, newStart, start];
  for (; at < lines.length; at++) {
    const text = lines[at] ?? '';
    const mailLine = at + 1;
    const last = found.at(-1);
    if (text.startsWith('\\') && last !== undefined) found[found.length - 1] = { ...last, noNewline: true };
    else if (oldNumber >= oldStart + oldCount && newNumber >= newStart + newCount) break;
    else if (text.startsWith('+')) {
      found.push({ kind: 'added', text: text.slice(1), newNumber: newNumber++, mailLine });
    } else if (text.startsWith('-')) {
      found.push({ kind: 'removed', text: text.slice(1), oldNumber: oldNumber++, mailLine });
    } else if (text === '' || text.startsWith(' ')) {
      const kind = 'context';
      found.push({ kind, text: text.slice(1), oldNumber: oldNumber++, newNumber: newNumber++, mailLine });
    } else break;
  }
  return { lines: found, next: at };
}
