// npm run demo: from a bare clone to reviewed mail.
import { join } from 'node:path';
import { build, root, run } from './run.mjs';

if (build() !== 0) process.exit(3);
process.exit(run(process.execPath, [join(root, 'dist', 'shell', 'cli', 'main.js'), '--help']));
