// npm run demo: from a bare clone to reviewed mail. Installs, builds, reviews examples/ and sends nothing.
import { join } from 'node:path';
import { build, root, run } from './run.mjs';

if (build() !== 0) process.exit(3);
console.log('$ reveille review --all examples\n');
process.exit(run(process.execPath, [join(root, 'dist', 'shell', 'cli', 'main.js'), 'review', '--all', 'examples']));
