/** A stream of numbers in [0, 1). */
export type Random = () => number;

/** A stream of its own for a seed and a name: equal names draw equal numbers, whatever else is drawn (sfc32 seeded by FNV-1a). */
export function namedStream(seed: number, name: string): Random {
  let h = 0x811c9dc5 ^ (seed >>> 0);
  const mix = (byte: number): void => {
    h = Math.imul(h ^ byte, 0x01000193);
  };
  mix(Math.floor(seed / 2 ** 32) & 0xff);
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i);
    mix(code & 0xff);
    mix(code >>> 8);
  }
  let a = scramble(h);
  let b = scramble(a);
  let c = scramble(b);
  let counter = 1;
  const next = (): number => {
    const t = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + t;
    return (t >>> 0) / 2 ** 32;
  };
  for (let i = 0; i < 12; i++) next();
  return next;
}

function scramble(value: number): number {
  let h = (value + 0x9e3779b9) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
