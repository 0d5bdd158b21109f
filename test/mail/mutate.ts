/** A stream of numbers in [0, 1) from a seed (mulberry32). */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

const tokens = [
  '\n\n',
  '\r\n',
  '--',
  '=?utf-8?q?',
  '?=',
  '<',
  '>',
  '@',
  '\0',
  '"',
  '(',
  '\\',
  ';',
  ' \n ',
  'From ',
  '@@ -1,9 +1,9 @@',
  '\xff\xfe',
  'Content-Type: multipart/mixed; boundary=x\n',
  '=',
];

/** One of the mails, or two grown together, with one to six damages: flipped, lost, doubled, foreign or endlessly repeated bytes. */
export function mutate(mails: readonly Buffer[], chance: () => number): Buffer {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(chance() * from.length)] as T; // never empty
  let bytes: Buffer = Buffer.from(pick(mails).subarray(0, 300_000));
  if (chance() < 0.1) {
    const other = pick(mails);
    bytes = Buffer.concat([
      bytes.subarray(0, chance() * bytes.length),
      other.subarray(chance() * other.length, 300_000),
    ]);
  }
  const damages = 1 + Math.floor(chance() * 6);
  for (let n = 0; n < damages; n++) {
    // Half of the damage goes into the header, where most of the parsing is.
    const at = Math.floor(chance() * (chance() < 0.5 ? Math.min(bytes.length, 4000) : bytes.length));
    const length = Math.floor(chance() ** 4 * 2000);
    bytes = damage(bytes, {
      at,
      length,
      kind: Math.floor(chance() * 6),
      token: pick(tokens),
      byte: Math.floor(chance() * 256),
    });
  }
  return bytes;
}

type Damage = {
  readonly at: number;
  readonly length: number;
  readonly kind: number;
  readonly token: string;
  readonly byte: number;
};

function damage(bytes: Buffer, { at, length, kind, token, byte }: Damage): Buffer {
  const before = bytes.subarray(0, at);
  const after = bytes.subarray(at);
  if (kind === 0) return Buffer.concat([before, Buffer.from([byte]), after.subarray(1)]);
  if (kind === 1) return Buffer.concat([before, after.subarray(length)]);
  if (kind === 2) return Buffer.concat([before, after.subarray(0, length), after]);
  if (kind === 3) return Buffer.concat([before, Buffer.from(token, 'latin1'), after]);
  if (kind === 4) return Buffer.concat([before, Buffer.from(token.repeat(length), 'latin1'), after]);
  return Buffer.from(before);
}
