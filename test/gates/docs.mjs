// npm run docs: writes the generated documents; with --check it compares them. Each generator is test/docs/NAME.doc.ts,
// which exports `path` (where the document lives) and `render()` (what must stand there).
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root, tool } from './run.mjs';

const folder = join(root, 'test', 'docs');
const names = readdirSync(folder).filter((name) => name.endsWith('.doc.ts'));
if (names.length === 0) process.exit(0);
process.exit(tool('tsx', [join(folder, 'generate.ts'), process.argv.includes('--check') ? '--check' : '--write']));
