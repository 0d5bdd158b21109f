/** How many letters must change to make one word the other. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (const [i, letter] of [...a].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] ?? 0) + (letter === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/** The known word that looks most like the one given; undefined when none is near. */
export function findNearest(word: string, known: readonly string[]): string | undefined {
  const capped = word.slice(0, 60).toLowerCase();
  const ranked = known.map((k) => ({ k, far: distance(capped, k.toLowerCase()) })).sort((a, b) => a.far - b.far);
  const best = ranked[0];
  return best !== undefined && best.far <= Math.max(2, Math.floor(best.k.length / 2)) ? best.k : undefined;
}
