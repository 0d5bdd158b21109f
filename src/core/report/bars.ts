export type Bar = { readonly name: string; readonly value: number; readonly words: string };

/** A small plot for a terminal: a line a value, its bar, its words. Values are not negative. */
export function bars(rows: readonly Bar[], width: number): string[] {
  const name = Math.max(0, ...rows.map((row) => row.name.length));
  const words = Math.max(0, ...rows.map((row) => row.words.length));
  const room = Math.max(8, width - name - words - 6);
  const most = Math.max(...rows.map((row) => row.value), Number.MIN_VALUE);
  return rows.map((row) => {
    const long = Math.round((row.value / most) * room);
    const bar = '#'.repeat(row.value > 0 ? Math.max(1, long) : 0);
    return `  ${row.name.padEnd(name)} |${bar.padEnd(room)} ${row.words}`.trimEnd();
  });
}
