// npm run bench [-- NAME...]: rates and work counts. Each file test/bench/NAME.bench.ts is one table.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { build, root, tool } from './run.mjs';

if (build() !== 0) process.exit(3);
const folder = join(root, 'test', 'bench');
const wanted = process.argv.slice(2);
let worst = 0;
for (const name of readdirSync(folder)
  .filter((n) => n.endsWith('.bench.ts'))
  .sort()) {
  if (wanted.length > 0 && !wanted.includes(name.slice(0, -'.bench.ts'.length))) continue;
  console.log(`\n===== bench ${name} =====`);
  worst = Math.max(worst, tool('tsx', [join(folder, name)]));
}
process.exit(worst);
