/** Writes or compares the generated documents; see test/gates/docs.mjs. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Generator = { path: string; render: () => string | Promise<string> };

const folder = import.meta.dirname;
const root = join(folder, '..', '..');
const check = process.argv.includes('--check');
let stale = 0;

for (const name of readdirSync(folder).filter((n) => n.endsWith('.doc.ts'))) {
  const generator = (await import(join(folder, name))) as Generator;
  const wanted = await generator.render();
  const path = join(root, generator.path);
  if (!check) {
    writeFileSync(path, wanted);
    console.log(`wrote ${generator.path}`);
  } else if (read(path) !== wanted) {
    console.error(`${generator.path} is stale: run npm run docs`);
    stale++;
  }
}
process.exit(stale > 0 ? 1 : 0);

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
