import { createHash } from 'node:crypto';
import type { Catalogue, DelayChange } from '../../../src/core/delay/index.js';
import type { Patch } from '../../../src/core/patch/index.js';

/** C words, and what is the kernel's own and no driver's: these keep their names. */
const KEPT =
  /^(?:CONFIG_\w+|PCIE_(?:T|RESET|PME|LINK)_\w+|PCI_PM_\w+|LINK_WAIT_\w+|USB_(?:CTRL|RESUME)_\w+|E(?:IO|TIME|TIMEDOUT|BUSY|AGAIN|INVAL|NODEV|NXIO|NOENT|NOMEM|PERM|ACCES|FAULT|PROTO|REMOTEIO|CANCELED|OPNOTSUPP|INTR)|_?[A-Z]?|auto|bool|break|case|char|const|continue|default|define|defined|do|double|elif|else|endif|enum|error|extern|float|for|goto|if|ifdef|ifndef|include|inline|int|long|pragma|register|return|short|signed|sizeof|static|struct|switch|typedef|undef|union|unsigned|void|volatile|while|(?:__)?[us](?:8|16|32|64)|\w+_t|true|false|TRUE|FALSE|NULL|HZ|hz|jiffies|jiffies_64|[MUN]SECS?_PER_\w+|SBT_\w+|M?SECOND|USECOND|KILO|MEGA|GIGA|MILLI|MICRO|NANO|min|max|min3|max3|clamp|clamp_val|BIT|DIV_ROUND_\w+|READ_ONCE|WRITE_ONCE|likely|unlikely|fn|let|mut|pub|use|impl|self|Self|Ok|Err|match|loop|in|as|Delta|Duration|from|from_\w+|i64|get_timer\w*|is_timeout\w*|time_\w+|ktime_\w+|\w*for_?each\w*|\w*_to_jiffies|jiffies_to_\w+|\w*_to_ktime|kthread_should_stop|freezing|local_clock|sched_clock|round_jiffies\w*|get_time_ns)$/;
/** Calls that wait by their name alone are in no catalogue; their names are what they are. */
const WAITS_BY_NAME = /(?:[mun]?sleep|[mun]delay|delay_\w?s|wait_\ws|sleep_\ws|backoff_\ws)(?:_\w+)?$/i;

export type Renaming = 'names' | 'all but words of time';

/** The same patches with every identifier, function and file renamed by a seeded map; kernel API names stay. */
export function renamed(patches: readonly Patch[], catalogue: Catalogue, seed: string, how: Renaming): Patch[] {
  const kernel = new Set(catalogue.apis.map((a) => a.name));
  const word = (name: string): string => {
    if (kernel.has(name) || KEPT.test(name) || WAITS_BY_NAME.test(name)) return name;
    if (how === 'names') return code(name);
    return name
      .split(/(_|(?<=[a-z\d])(?=[A-Z]))/)
      .map((part) => (isOfTime(part) ? part : code(part)))
      .join('');
  };
  const code = (name: string): string => {
    if (name === '' || name === '_') return name;
    const made = `q${createHash('sha1').update(`${seed} ${name}`).digest('hex').slice(0, 7)}q`;
    return /[a-z]/.test(name) ? made : made.toUpperCase();
  };
  // What a message says is no name.
  const text = (line: string): string =>
    line.replace(/"(?:[^"\\]|\\.)*"|(?<![\w.'])[A-Za-z_]\w*/g, (m) => (m.startsWith('"') ? m : word(m)));
  const path = (file: string): string => {
    const slash = file.lastIndexOf('/') + 1;
    const dot = file.lastIndexOf('.');
    if (!/\.[ch]$/.test(file)) return file;
    return `${file.slice(0, slash)}${code(file.slice(slash, dot)).toLowerCase()}${file.slice(dot)}`;
  };
  return patches.map((patch) => ({
    ...patch,
    files: patch.files.map((file) => ({
      ...file,
      path: path(file.path),
      hunks: /\.(?:c|h|rs)$/.test(file.path)
        ? file.hunks.map((h) => ({
            ...h,
            section: text(h.section),
            lines: h.lines.map((l) => ({ ...l, text: text(l.text) })),
          }))
        : file.hunks,
    })),
  }));
}

function isOfTime(part: string): boolean {
  return /^(?:time|timeouts?|timeo|tmo|tout|delays?|waits?|sleep|interval|period|poll|polling|settle|debounce|deadline|watchdog|autosuspend|latency|backoff|retry|retries|tries|attempts?|loops?|count|cnt|max|min|num|nr|limit|busy|try|us|ms|ns|usecs?|msecs?|nsecs?|secs?|seconds|s|jiffies|cmd|reg|mode|irq|int|tx|rx|mask|shift|skew|clk|khz|hz|mhz|div|lat|size|len|offset|bit|opcode|version|flags?|msk|handshake|pause|timer|holdoff|dwell)$/i.test(
    part,
  );
}

/** What may not change when names do: kind, effect, place, values, bounds, loop. */
export function substance(changes: readonly DelayChange[]): string[] {
  const side = (wait: DelayChange['before']): string =>
    wait === undefined ? '-' : `${wait.span?.min ?? '?'}..${wait.span?.max ?? '?'} ${wait.count ?? ''}`;
  return changes
    .map((c) =>
      [
        c.kind,
        c.effect,
        c.oldLine ?? '-',
        c.newLine ?? '-',
        side(c.before),
        side(c.after),
        c.bound.before,
        c.bound.after,
        String(c.inLoop),
        c.rounds.before ?? '-',
        c.rounds.after ?? '-',
      ].join(' '),
    )
    .sort();
}
