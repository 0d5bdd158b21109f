import {
  boundsOf,
  eraOf,
  mechanismOf,
  newestEraAt,
  parseVersion,
  quietMachine,
  versionOf,
  type Call,
  type Era,
  type Span,
} from '../kernel/index.js';
import type { DelayChange, Wait } from '../delay/index.js';
import type { Hunk, HunkLine } from '../patch/index.js';
import { codesOf } from './code-lines.js';
import type { Remark, RuleInput } from './finding.js';

export type ChangedWait = { readonly change: DelayChange; readonly where: Omit<Remark, 'text'> };

/** The changes of the patch with where a remark about them points. */
export function changedWaits({ changes, patchIndex }: RuleInput): ChangedWait[] {
  return changes.flatMap((change, at) => {
    if (change.patch !== patchIndex) return [];
    const line = change.newLine ?? change.oldLine;
    const where = {
      file: change.file,
      ...(line === undefined ? {} : { line }),
      ...(change.mailLine === undefined ? {} : { mailLine: change.mailLine }),
      change: at,
    };
    return [{ change, where }];
  });
}

/** A line of the new side with its code (comments and strings blanked). */
export type SideLine = HunkLine & { readonly code: string };

export type Place = { readonly lines: readonly SideLine[]; readonly at: number };

/** The new side of the hunk that holds the change, and the change's index in it. */
export function placeOf({ patch }: RuleInput, { file, newLine, mailLine }: DelayChange): Place | undefined {
  for (const one of patch.files) {
    if (one.path !== file) continue;
    for (const hunk of one.hunks) {
      const lines = newSide(hunk);
      // The lines of a side are numbered without a gap.
      const at =
        newLine === undefined
          ? lines.findIndex((line) => line.mailLine === mailLine)
          : newLine - (lines[0]?.newNumber ?? Infinity);
      if (lines[at] !== undefined) return { lines, at };
    }
  }
  return undefined;
}

const newSides = new WeakMap<Hunk, readonly SideLine[]>();

/** The lines of a hunk as they are after the patch. */
export function newSide(hunk: Hunk): readonly SideLine[] {
  const known = newSides.get(hunk);
  if (known !== undefined) return known;
  const codes = codesOf(hunk);
  const lines: SideLine[] = [];
  for (const [at, line] of hunk.lines.entries()) {
    if (line.kind !== 'removed') lines.push({ ...line, code: codes[at] ?? '' });
  }
  newSides.set(hunk, lines);
  return lines;
}

/** The lines of a hunk as they were before the patch. */
export function oldSide(hunk: Hunk): SideLine[] {
  const codes = codesOf(hunk);
  return hunk.lines.flatMap((line, at) => (line.kind === 'added' ? [] : [{ ...line, code: codes[at] ?? '' }]));
}

/** A wait as a call that the kernel's formulas know; absent where its length or its call is not known. */
export function callOf({ api, span }: Wait): Call | undefined {
  if (api === undefined || span === undefined) return undefined;
  if (/^(?:msleep|msleep_interruptible|ssleep)$/.test(api)) return { kind: 'msleep', time: span.max };
  if (/^usleep_range/.test(api)) return { kind: 'range', min: span.min, max: span.max };
  if (api === 'fsleep') return { kind: 'fsleep', time: span.max };
  if (/^[mun]delay$/.test(api)) return { kind: 'busy', time: span.max };
  return undefined;
}

/** The era whose sleeps a mail is about: of the kernel that is asked about, else of the newest one at the mail's date. */
export function eraAt({ kernel, message }: Pick<RuleInput, 'kernel' | 'message'>): Era {
  const version = kernel === undefined ? undefined : parseVersion(kernel);
  if (version !== undefined) return eraOf(version);
  return message.date === undefined ? '>=6.13' : newestEraAt(message.date);
}

/** Least and most that a kernel of this HZ and era makes of a wait. */
export function reallyTakes(call: Call, hz: number, era: Era): Span {
  const machine = quietMachine(hz, versionOf(era));
  return boundsOf(mechanismOf(call, machine), machine);
}

/** Whether the wait gives up the CPU. */
export function isSleep({ api }: Wait): boolean {
  if (api === undefined) return false;
  return /^(?:msleep|ssleep|usleep_|fsleep|schedule_(?:hr)?timeout|wait_event|wait_for_completion)/.test(api);
}
