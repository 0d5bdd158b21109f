import { countHunks, type HunkCount } from './hunk-count.js';

/** How a format=flowed part was read: as it stands, without stuffing, or with its soft line breaks joined as well. */
export type FlowedText = { readonly text: string; readonly reading: 'plain' | 'unstuffed' | 'joined' };

/**
 * The text of a format=flowed part as its author wrote the diff (RFC 3676 section 4.4): some mailers stuff a blank before
 * lines that begin with one, others only say so, and few break long lines softly. The reading whose hunks close is the
 * right one; without a hunk the lines stay as they are.
 */
export function readFlowed(text: string, delSp = false): FlowedText {
  const plain = { text, reading: 'plain' } as const;
  const hunks = countHunks(text);
  if (hunks.begun === 0) return plain;
  const bare = unstuff(text);
  const bareHunks = countHunks(bare);
  // A stuffed context line still looks like one, so on a tie the text without stuffing is right; taking a blank from
  // lines that were never stuffed breaks their hunks.
  const isStuffed = isNoWorse(bareHunks, hunks) && bareHunks.closed > 0;
  const best = isStuffed ? ({ text: bare, reading: 'unstuffed' } as const) : plain;
  const closed = isStuffed ? bareHunks.closed : hunks.closed;
  const heads = countHeads(best.text);
  // Trailing blanks of a diff look like soft breaks: joining must mend a hunk or a file's names, and break none.
  const joined = joinSoftBreaks(bare, delSp);
  const [closedThen, headsThen] = [countHunks(joined).closed, countHeads(joined)];
  const isMended = closedThen >= closed && headsThen >= heads && closedThen + headsThen > closed + heads;
  return isMended ? { text: joined, reading: 'joined' } : best;
}

/** How often the two names of a file stand right above a hunk, each on one line. */
function countHeads(text: string): number {
  return text.match(/^--- [^\n]*\n\+\+\+ [^\n]*\n@@ -/gm)?.length ?? 0;
}

function isNoWorse(one: HunkCount, other: HunkCount): boolean {
  return one.begun >= other.begun && one.closed >= other.closed;
}

function unstuff(text: string): string {
  const bare = text.replaceAll('\n ', '\n');
  return text.startsWith(' ') ? bare.slice(1) : bare;
}

/** Puts softly broken lines together (RFC 3676 section 4.2); the signature mark ends in a blank and is none. */
function joinSoftBreaks(text: string, delSp: boolean): string {
  let out = '';
  for (const line of text.split('\n')) {
    const end = line.endsWith('\r') ? line.length - 1 : line.length;
    const isSoft = end > 0 && line[end - 1] === ' ' && line.slice(0, end) !== '-- ';
    out += isSoft ? line.slice(0, delSp ? end - 1 : end) : `${line}\n`;
  }
  return out.slice(0, -1);
}
