import { isMboxSeparator, unescapeMboxrd } from './mbox.js';
import { mailSizeCap } from './parse-message.js';

/** One mail of an mbox, without its separator, `From ` lines unescaped; `offset` is that of its separator. */
export type MboxMail = {
  readonly bytes: Uint8Array;
  readonly offset: number;
  /** Bytes in the file; more than `bytes` holds where the mail was cut at the cap. */
  readonly size: number;
  readonly cut: boolean;
  /** The `From ` line as it stands; empty for what comes before the first. */
  readonly separator: string;
};

/** Takes an mbox chunk by chunk; holds one mail and one chunk at a time. */
export type MboxSplitter = {
  readonly push: (chunk: Uint8Array) => MboxMail[];
  readonly end: () => MboxMail[];
};

// A separator line is far shorter; this much beyond a place tells whether it is one and what follows it.
const lookAhead = 1024;

/**
 * Splits mboxo, mboxrd and mboxcl2: a separator needs a date and a blank line before it or a header field after it;
 * Content-Length counts only where it lands on a separator or the end. Mails over `cap` bytes are cut.
 */
export function splitMbox(cap: number = mailSizeCap + 1): MboxSplitter {
  let held: Buffer = Buffer.alloc(0);
  let offset = 0;
  let scanned = 1;
  let dropped = 0;
  let head: Buffer | undefined;

  function push(chunk: Uint8Array): MboxMail[] {
    held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk]);
    return drain(false);
  }

  function drain(last: boolean): MboxMail[] {
    const mails: MboxMail[] = [];
    for (;;) {
      const end = nextEnd(last);
      if (end === undefined) break;
      mails.push(take(end.at, end.counted));
    }
    if (!last) shed();
    return mails;
  }

  /** Where the held mail ends; undefined while that cannot be told. */
  function nextEnd(last: boolean): { readonly at: number; readonly counted: boolean } | undefined {
    const counted = head === undefined ? countedEnd(held, last, cap) : 'no';
    if (counted === 'wait') return undefined;
    if (typeof counted === 'number') return { at: counted, counted: true };
    for (let at = held.indexOf('\nFrom ', scanned - 1); at >= 0; at = held.indexOf('\nFrom ', scanned - 1)) {
      if (!last && at + lookAhead > held.length) {
        scanned = at + 1;
        return undefined;
      }
      if (isBoundary(held, at + 1)) return { at: at + 1, counted: false };
      scanned = at + 2;
    }
    scanned = Math.max(1, held.length - 6, scanned);
    return undefined;
  }

  function take(end: number, counted: boolean): MboxMail {
    const kept = head === undefined ? held.subarray(0, end) : head;
    const size = dropped + end;
    const cut = head !== undefined || kept.length > cap;
    const mail: MboxMail = {
      bytes: entryBytes(kept.subarray(0, cap), counted),
      offset,
      size,
      cut,
      separator: separatorOf(kept),
    };
    offset += size;
    held = held.subarray(end);
    dropped = 0;
    head = undefined;
    scanned = 1;
    return mail;
  }

  /** Lets go of what is over the cap: its first bytes are kept, the rest is only searched for the next separator. */
  function shed(): void {
    const safe = Math.min(scanned - 1, held.length);
    if (head === undefined && safe > cap) {
      head = Buffer.from(held.subarray(0, cap));
    }
    if (head === undefined || safe < lookAhead) return;
    const gone = safe - 8;
    dropped += gone;
    held = Buffer.from(held.subarray(gone));
    scanned -= gone;
  }

  function end(): MboxMail[] {
    const mails = drain(true);
    if (held.length > 0 && (head !== undefined || held.some((byte) => byte > 32))) mails.push(take(held.length, false));
    return mails;
  }

  return { push, end };
}

/** The end of the first held mail by its Content-Length, if that lands on a separator or the end. */
function countedEnd(held: Buffer, last: boolean, cap: number): number | 'no' | 'wait' {
  const headEnd = endOfHead(held);
  if (headEnd === undefined)
    return last || held.length > 1024 * 1024 ? 'no' : held.indexOf('\nFrom ') >= 0 ? 'no' : 'wait';
  const found = /^content-length:[ \t]*(\d{1,10})[ \t]*\r?$/im.exec(
    held.toString('latin1', 0, Math.min(headEnd, 65536)),
  );
  if (found === null) return 'no';
  const length = Number(found[1]);
  if (length > cap) return 'no';
  const at = headEnd + length;
  if (at + lookAhead > held.length && !last) return 'wait';
  if (at > held.length) return 'no';
  for (const blank of ['', '\n', '\r\n']) {
    const next = at + blank.length;
    if (held.toString('latin1', at, next) !== blank) continue;
    if (next === held.length && last) return next;
    if (held.toString('latin1', next, next + 5) === 'From ' && isMboxSeparator(lineAt(held, next))) return next;
  }
  return 'no';
}

function endOfHead(held: Buffer): number | undefined {
  const unix = held.indexOf('\n\n');
  // Looked for above the other only: mails without it would be searched through to the end of what is held.
  const dos = (unix < 0 ? held : held.subarray(0, unix)).indexOf('\n\r\n');
  if (unix < 0 && dos < 0) return undefined;
  return dos < 0 ? unix + 2 : dos + 3;
}

function isBoundary(held: Buffer, at: number): boolean {
  const line = lineAt(held, at);
  if (!isMboxSeparator(line)) return false;
  const blankBefore = held[at - 2] === 10 || (held[at - 2] === 13 && held[at - 3] === 10);
  return blankBefore || /^(?:[!-9;-~]+:|>?From )/.test(lineAt(held, at + Buffer.byteLength(line, 'latin1') + 1));
}

function lineAt(held: Buffer, at: number): string {
  const end = held.indexOf(10, at);
  return held.toString('latin1', at, Math.min(end < 0 ? held.length : end, at + 500));
}

function separatorOf(entry: Buffer): string {
  const line = lineAt(entry, 0).trimEnd();
  return line.startsWith('From ') ? line : '';
}

/** Without separator line and the blank line that ends an entry. A counted entry (mboxcl2) has nothing escaped in it. */
function entryBytes(entry: Buffer, counted: boolean): Uint8Array {
  const separator = entry.toString('latin1', 0, 5) === 'From ';
  const start = separator ? entry.indexOf(10) + 1 : 0;
  let end = entry.length;
  if (entry[end - 1] === 10 && entry[end - 2] === 10) end -= 1;
  else if (entry[end - 1] === 10 && entry[end - 2] === 13 && entry[end - 3] === 10) end -= 2;
  const body = entry.subarray(separator && start === 0 ? entry.length : start, end);
  return counted ? Buffer.from(body) : Buffer.from(unescapeMboxrd(body));
}
