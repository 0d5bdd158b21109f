/** How true mail is read: `npm run eval -- mail`. Parts are scored by the files in parts/. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { scoreMailinfo } from './parts/mailinfo.js';

const only = process.argv.slice(2).filter((word) => !word.startsWith('-'));
if (only.length === 0 || only.includes('mailinfo')) await scoreMailinfo();
for (const [part, name] of [
  ['numstat', 'scoreNumstat'],
  ['series', 'scoreSeries'],
] as const) {
  if (only.length > 0 && !only.includes(part)) continue;
  const path = join(import.meta.dirname, 'parts', `${part}.ts`);
  if (!existsSync(path)) continue;
  const scores = (await import(path)) as Readonly<Record<string, () => Promise<unknown>>>;
  await scores[name]?.();
}
