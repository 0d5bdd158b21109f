import { seconds, type Ns } from '../kernel/index.js';

/** How a line carries its time; `bare` lines have none but are a kernel's all the same. */
export type LineShape =
  | 'printk'
  | 'printk-caller'
  | 'dmesg -d'
  | 'dmesg -e'
  | 'dmesg -T'
  | 'dmesg -x'
  | 'dmesg -r'
  | 'dmesg iso'
  | 'dmesg -J'
  | 'journal'
  | 'syslog'
  | 'journal short-monotonic'
  | 'journal short-precise'
  | 'journal short-delta'
  | 'journal short-iso-precise'
  | 'grabserial'
  | 'ftrace'
  | 'bare';

export type LogLine = {
  readonly shape: LineShape;
  /** Time since some zero of this boot, where the line has one. */
  readonly at?: Ns;
  /** `dmesg -e` gives the time since the line before. */
  readonly since?: Ns;
  /** Whole seconds, or the reading time of a journal. */
  readonly coarse?: true;
  readonly caller?: string;
  readonly body: string;
};

const maxLine = 4000;
const months = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)';
const printk = /^\[ *(\d{1,9}\.\d{3,9})\](?:\[ *([TC]\d{1,9})\])? ?/;
const printkDelta = /^\[ *(\d{1,9}\.\d{3,9}) < *-?\d{1,9}\.\d{3,9} ?>\] ?/;
const relative = /^\[ *\+(\d{1,9}\.\d{3,9})\] /;
const newMinute = new RegExp(`^\\[${months}[ \\d]\\d \\d\\d:\\d\\d\\] `);
const dated = new RegExp(`^\\[\\w{3} ${months} [ \\d]\\d (\\d\\d):(\\d\\d):(\\d\\d) \\d{4}\\] `);
const iso = /^\d{4}-\d\d-\d\dT(\d\d):(\d\d):(\d\d)([.,]\d{1,9})?(?:[+-]\d\d:?\d\d|Z)? /;
const journal = new RegExp(`^${months} [ \\d]\\d (\\d\\d):(\\d\\d):(\\d\\d)(\\.\\d{1,9})? (?=[\\w.-]{1,64} kernel: )`);
const host = /^[\w.-]{1,64} kernel: /;
const decoded = /^[a-z0-9]{1,10} *:[a-z]{1,8} *: (?=\[)/;
const raw = /^<\d{1,3}>(?=\[)/;
const grab = /^\[(\d{1,9}\.\d{6}) \d{1,9}\.\d{6}\] /;
const trace = /^ *\S[^\n[]{0,40}-\d{1,9} +\[\d{3,4}\] [^ ]{4,6} +(\d{1,9}\.\d{6}): (?=initcall_)/;
const bare =
  /^(?:calling {1,2}[\w.$]{1,128}\+0x|initcall [\w.$]{1,128}\+0x|(?:probe of )?[\w:.-]{1,80} returned -?\d{1,9} after \d|async_(?:waiting|continuing) @)/;
const json = /^\s*"msg": "(.*)"\s*[,}]?$/;

/**
 * One line of a kernel log in any shape that people paste: printk, dmesg and journalctl with their options, grabserial,
 * ftrace events. Nothing for a line that is none. The line must be free of mail quoting.
 */
export function parseLogLine(line: string): LogLine | undefined {
  const text = stripEscapes(line.length > maxLine ? line.slice(0, maxLine) : line);
  if (text.startsWith('[')) return parseBracketed(text) ?? parsePrefixed(text);
  return hasMark.test(text) ? (parsePlain(text) ?? parsePrefixed(text)) : undefined;
}

/** What every shape has one of that does not begin with a bracket: most lines of a mail are none, and one look spares them the rest. */
const hasMark = /^(?:<\d|\d{4}-\d\d-|async_)| kernel: |initcall|calling |: \[|"msg": "|\] | returned -?\d/;

const overrun = /(\d{1,9}\.\d{6})\](?:\[ *[TC]\d{1,9}\])? (?=initcall |calling {2}|probe of )/;

/** A line that begins in the middle of another one, as consoles shared by two writers give them. */
export function parseOverrun(text: string): LogLine | undefined {
  if (!text.includes('] initcall ') && !text.includes('] calling  ') && !text.includes('] probe of ')) return undefined;
  const found = overrun.exec(text.slice(0, maxLine));
  // Up to here it is an ordinary stamped line.
  if (!found || found.index < 16) return undefined;
  return { shape: 'printk', at: secondsOf(found[1]), body: text.slice(found.index + found[0].length, maxLine) };
}

function parseBracketed(text: string): LogLine | undefined {
  const stamp = printk.exec(text);
  if (stamp) {
    const at = secondsOf(stamp[1]);
    const rest = text.slice(stamp[0].length);
    const journalled = host.exec(rest);
    if (journalled) return { shape: 'journal short-monotonic', at, body: rest.slice(journalled[0].length) };
    if (stamp[2] !== undefined) return { shape: 'printk-caller', at, caller: stamp[2], body: rest };
    return { shape: 'printk', at, body: rest };
  }
  const delta = printkDelta.exec(text);
  if (delta) {
    const rest = text.slice(delta[0].length);
    const journalled = host.exec(rest);
    const at = secondsOf(delta[1]);
    if (journalled) return { shape: 'journal short-delta', at, body: rest.slice(journalled[0].length) };
    return { shape: 'dmesg -d', at, body: rest };
  }
  const grabbed = grab.exec(text);
  if (grabbed) {
    const inner = parseBracketed(text.slice(grabbed[0].length));
    if (inner?.at !== undefined) return { ...inner, shape: 'grabserial' };
    return { shape: 'grabserial', at: secondsOf(grabbed[1]), body: text.slice(grabbed[0].length) };
  }
  const since = relative.exec(text);
  if (since) return { shape: 'dmesg -e', since: secondsOf(since[1]), body: text.slice(since[0].length) };
  const minute = newMinute.exec(text);
  if (minute) return { shape: 'dmesg -e', body: text.slice(minute[0].length) };
  const caller = callerOnly.exec(text);
  if (caller) return { shape: 'bare', caller: caller[1] ?? '', body: text.slice(caller[0].length) };
  const date = dated.exec(text);
  if (date) return { shape: 'dmesg -T', at: timeOfDay(date), coarse: true, body: text.slice(date[0].length) };
  return undefined;
}

function parsePlain(text: string): LogLine | undefined {
  const level = raw.exec(text) ?? decoded.exec(text);
  if (level) {
    const inner = parseBracketed(text.slice(level[0].length));
    return inner && { ...inner, shape: level[0].startsWith('<') ? 'dmesg -r' : 'dmesg -x' };
  }
  const dayTime = iso.exec(text);
  if (dayTime) {
    const rest = text.slice(dayTime[0].length);
    const journalled = host.exec(rest);
    const at = timeOfDay(dayTime);
    if (journalled) {
      const body = rest.slice(journalled[0].length);
      const inner = body.startsWith('[') ? parseBracketed(body) : undefined;
      if (inner?.at !== undefined && !inner.coarse) return { ...inner, shape: 'syslog' };
      return { shape: 'journal short-iso-precise', at, coarse: true, body };
    }
    return { shape: 'dmesg iso', at, ...(dayTime[4] === undefined ? { coarse: true } : {}), body: rest };
  }
  const read = journal.exec(text);
  if (read) {
    const rest = text.slice(read[0].length);
    const body = rest.slice(host.exec(rest)?.[0].length ?? 0);
    // syslog keeps the kernel's own stamp behind its own, and that one is exact.
    const inner = body.startsWith('[') ? parseBracketed(body) : undefined;
    if (inner?.at !== undefined && !inner.coarse) return { ...inner, shape: 'syslog' };
    return {
      shape: read[4] === undefined ? 'journal' : 'journal short-precise',
      at: timeOfDay(read),
      coarse: true,
      body,
    };
  }
  const event = trace.exec(text);
  if (event) return { shape: 'ftrace', at: secondsOf(event[1]), body: text.slice(event[0].length) };
  const message = json.exec(text);
  if (message) return { shape: 'dmesg -J', body: message[1] ?? '' };
  if (bare.test(text)) return { shape: 'bare', body: text };
  return undefined;
}

const stamped = /\[ {0,8}\d{1,6}\.\d{6}\](?:\[ *[TC]\d{1,9}\])? /;
const callerOnly = /^\[ {0,8}([TC]\d{1,9})\] /;
const callAnywhere =
  /(?:initcall [\w.$]{1,128}\+0x[0-9a-f]{1,9}\/0x[0-9a-f]{1,9}(?: \[[\w-]{1,64}\])? returned |calling {1,2}[\w.$]{1,128}\+0x[0-9a-f]{1,9}\/0x[0-9a-f]{1,9}(?: \[[\w-]{1,64}\])? @ \d)/;

/** A kernel's line behind something else: a test rig's clock, a firmware's last words, another writer's half line. */
function parsePrefixed(text: string): LogLine | undefined {
  const head = text.slice(0, 400);
  if (head.includes('] ')) {
    const late = stamped.exec(head);
    if (late && (late.index <= 80 || late[0].startsWith('[    0.000000]')))
      return parseBracketed(text.slice(late.index));
  }
  if (!head.includes('initcall ') && !head.includes('calling ')) return undefined;
  const call = callAnywhere.exec(head);
  return call ? { shape: 'bare', body: text.slice(call.index) } : undefined;
}

function secondsOf(digits: string | undefined): Ns {
  return seconds(Number(digits));
}

function timeOfDay(match: RegExpExecArray): Ns {
  const fraction = match[4] === undefined ? 0 : Number(`0.${match[4].slice(1)}`);
  return seconds(Number(match[1]) * 3600 + Number(match[2]) * 60 + Number(match[3]) + fraction);
}

function stripEscapes(text: string): string {
  if (!text.includes('\u001b')) return text;
  return text.replace(/\u001b(?:\[[0-9;?]{0,16}[A-Za-z]|c)/g, '');
}
