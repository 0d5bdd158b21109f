// npm run verify [-- --quick | --long]: every gate in order, each with a banner; the last line counts tests and gates.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build, installPackages, root, run, tool } from './run.mjs';

const quick = process.argv.includes('--quick');
const long = process.argv.includes('--long');
const only = process.argv.filter((a) => a.startsWith('--only=')).flatMap((a) => a.slice(7).split(','));
const scratch = mkdtempSync(join(tmpdir(), 'reveille-verify-'));
process.on('exit', () => rmSync(scratch, { recursive: true, force: true }));
if (long) process.env.REVEILLE_LONG = '1';
process.env.E2E ??= '';

const counts = { passed: 0, failed: 0, skipped: 0 };
const failedGates = [];
const skips = [];

/** One Vitest project, or several in one go, as a gate; its counts go into the last line. */
function tests(...projects) {
  const report = join(scratch, `${projects[0]}.json`);
  const named = projects.flatMap((project) => ['--project', project]);
  const args = ['run', '--config', 'test/vitest.config.ts', ...named, '--passWithNoTests'];
  const status = tool('vitest', [...args, '--reporter=default', '--reporter=json', `--outputFile=${report}`]);
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    counts.passed += result.numPassedTests;
    counts.failed += result.numFailedTests;
    counts.skipped += result.numPendingTests + result.numTodoTests;
    for (const file of result.testResults) {
      for (const test of file.assertionResults) {
        if (test.status === 'pending' || test.status === 'skipped')
          skips.push(`${projects.join(', ')}: ${test.fullName}`);
      }
    }
  } catch (error) {
    if (status === 0) console.error(`no report from ${projects.join(', ')}: ${error.message}`);
    return status === 0 ? 1 : status;
  }
  return status;
}

function aptInstall() {
  if (process.env.E2E !== 'install') return 0;
  const names = readFileSync(join(root, 'test/gates/apt-packages.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const quiet = { env, stdio: ['ignore', 'ignore', 'inherit'] };
  if (run('dpkg', ['-s', ...names], { stdio: 'ignore' }) === 0) return 0;
  // Our tests bring their own configuration; the package shall ask for none and start nothing.
  const answers = 'postfix postfix/main_mailer_type select No configuration\n';
  run('debconf-set-selections', [], { env, input: answers, stdio: ['pipe', 'ignore', 'inherit'] });
  return (
    run('apt-get', ['update', '-qq'], quiet) ||
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...names], quiet)
  );
}

/** Only the quick run trusts what the last one found in files that are as they were: types reach across files. */
function kept(options) {
  return quick ? options : [];
}

function cached(name) {
  return join(root, 'node_modules', '.cache', 'reveille', name);
}

const lintCache = ['--cache', '--cache-strategy', 'content', '--cache-location', cached('lint')];

const gates = [
  ['packages', installPackages, 'always'],
  ['system packages', aptInstall, 'full'],
  [
    'format',
    () =>
      tool('prettier', [
        '--check',
        '--log-level',
        'warn',
        ...kept(['--cache', '--cache-location', cached('format')]),
        '.',
      ]),
    'always',
  ],
  [
    'types',
    () => tool('tsc', ['-p', 'tsconfig.json', ...kept(['--incremental', '--tsBuildInfoFile', cached('types')])]),
    'always',
  ],
  ['build', build, 'always'],
  ['lint', () => tool('eslint', ['--max-warnings', '0', ...kept(lintCache), 'src', 'test']), 'always'],
  ['documents', () => run(process.execPath, ['test/gates/docs.mjs', '--check']), 'always'],
  // The quick run starts Vitest once for all of these.
  ['tests', () => tests('architecture', 'unit', 'golden', 'property'), 'quick'],
  ['architecture', () => tests('architecture'), 'full'],
  ['unit', () => tests('unit'), 'full'],
  ['golden', () => tests('golden'), 'full'],
  ['property', () => tests('property'), 'full'],
  ['contract', () => tests('contract'), 'full'],
  ['end-to-end', () => tests('e2e'), 'full'],
];

for (const [name, gate, when] of gates) {
  if (when === (quick ? 'full' : 'quick')) continue;
  if (only.length > 0 && !only.includes(name)) continue;
  const began = Date.now();
  console.log(`\n===== ${name} =====`);
  const status = gate();
  console.log(
    `----- ${name}: ${status === 0 ? 'ok' : `FAILED (${status})`}, ${((Date.now() - began) / 1000).toFixed(1)} s`,
  );
  if (status !== 0) failedGates.push(name);
  if (status !== 0 && ['packages', 'build'].includes(name)) break;
}

if (skips.length > 0) console.log(`\nskipped:\n${skips.map((s) => `  ${s}`).join('\n')}`);
const serverSkips = skips.filter((s) => s.includes('[needs '));
if (/^(install|require)$/.test(process.env.E2E) && serverSkips.length > 0) failedGates.push('skipped tests');
if (failedGates.length > 0) console.log(`\nfailed: ${failedGates.join(', ')}`);
// A gate without tests of its own counts as one.
const gateFailures = failedGates.length > 0 && counts.failed === 0 ? failedGates.length : 0;
console.log(`\n${counts.passed} passed, ${counts.failed + gateFailures} failed, ${counts.skipped} skipped`);
process.exit(failedGates.length > 0 ? 1 : 0);
