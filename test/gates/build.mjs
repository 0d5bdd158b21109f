// npm run build: src/ to dist/. Own modules and the pure ones of others go into a few files, because resolving and reading
// some four hundred took longer than reviewing a patch; what has native parts, threads or files of its own stays outside.
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages, root, run } from './run.mjs';

const bundled =
  /^(?:commander|mailparser|nodemailer\/lib\/addressparser|parse-diff|yaml|zod|cli-progress|d3-scale|d3-shape|jstat)(?:\/|$)/;

if (installPackages() !== 0) process.exit(3);
const { rolldown } = await import('rolldown');
rmSync(join(root, 'dist'), { recursive: true, force: true });
const bundle = await rolldown({
  cwd: root,
  platform: 'node',
  input: {
    'shell/cli/main': 'src/shell/cli/main.ts',
    'shell/cli/read-worker': 'src/shell/cli/read-worker.ts',
    'shell/config/compile': 'src/shell/config/compile.ts',
  },
  external: (id, importer) => isPackage(id) && importer?.includes('/node_modules/') !== true && !bundled.test(id),
});
// All chunks in one folder, beside the worker that the pool loads by its name.
await bundle.write({
  dir: join(root, 'dist'),
  entryFileNames: '[name].js',
  chunkFileNames: 'shell/cli/[name]-[hash].js',
  // Else it goes with the readers of YAML, and every command loads those.
  codeSplitting: {
    groups: [
      { name: 'failure', test: /config\/failure\.ts$/ },
      { name: 'core', test: /src\/core\// },
    ],
  },
});
await bundle.close();
chmodSync(join(root, 'dist', 'shell', 'cli', 'main.js'), 0o755);
process.exit(run(process.execPath, [join(root, 'dist', 'shell', 'config', 'compile.js')]));

function isPackage(id) {
  return !id.startsWith('.') && !id.startsWith('/') && !id.startsWith('node:');
}
