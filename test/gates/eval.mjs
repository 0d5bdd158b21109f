// npm run eval [-- NAME...]: scores the corpus under ../shared. Each file test/eval/NAME.eval.ts is one score.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages, root, run } from './run.mjs';

if (installPackages() !== 0) process.exit(3);
const shared = process.env.REVEILLE_SHARED ?? join(root, '..', 'shared');
if (!existsSync(join(shared, 'corpus'))) {
  console.log(`no ${join(shared, 'corpus')} here: nothing to score`);
  process.exit(0);
}
const folder = join(root, 'test', 'eval');
const all = readdirSync(folder)
  .filter((name) => name.endsWith('.eval.ts'))
  .map((name) => name.slice(0, -'.eval.ts'.length))
  .sort();
const wanted = process.argv.slice(2).filter((name) => !name.startsWith('-'));
const unknown = wanted.filter((name) => !all.includes(name));
if (unknown.length > 0) {
  console.error(`no such score: ${unknown.join(', ')}; there are: ${all.join(', ')}`);
  process.exit(2);
}
const rest = process.argv.slice(2).filter((name) => name.startsWith('-'));
let worst = 0;
for (const name of wanted.length > 0 ? wanted : all) {
  console.log(`\n===== eval ${name} =====`);
  worst = Math.max(worst, run(join(root, 'node_modules', '.bin', 'tsx'), [join(folder, `${name}.eval.ts`), ...rest]));
}
process.exit(worst);
