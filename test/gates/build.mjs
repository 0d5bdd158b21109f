// npm run build: src/ to dist/.
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages, root, tool } from './run.mjs';

if (installPackages() !== 0) process.exit(3);
rmSync(join(root, 'dist'), { recursive: true, force: true });
const status = tool('tsc', ['-p', 'tsconfig.build.json']);
if (status === 0) chmodSync(join(root, 'dist', 'shell', 'cli', 'main.js'), 0o755);
process.exit(status);
