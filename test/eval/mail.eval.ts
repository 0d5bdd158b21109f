/** How true mail is read: `npm run eval -- mail`. Parts are scored by the files in parts/. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { scoreMailinfo } from './parts/mailinfo.js';

const only = process.argv.slice(2).filter((word) => !word.startsWith('-'));
if (only.length === 0 || only.includes('mailinfo')) await scoreMailinfo();
for (const part of ['numstat', 'series']) {
  if (only.length > 0 && !only.includes(part)) continue;
  const path = join(import.meta.dirname, 'parts', `${part}.ts`);
  if (!existsSync(path)) continue;
  const { score } = (await import(path)) as { score: () => Promise<unknown> };
  await score();
}
