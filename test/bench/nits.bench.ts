/** All nits on patches, and checkpatch.pl on the same ones, in one run: CPU time per patch and per diff line, start-up apart. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseMessage } from '../../src/core/mail/index.js';
import { parsePatches } from '../../src/core/patch/index.js';
import { checkRules, rules, type RuleInput } from '../../src/core/rules/index.js';
import { hasShared, sharedFolder } from '../support/shared.js';
import { findCheckpatch } from './parts/checkpatch.js';

type Sample = { readonly mail: string; readonly lines: number };

const rounds = 300;
// The engine compiles what it runs often; a review of an archive runs it thousands of times.
const warmUp = 200;
const samples = hasShared ? corpusSamples(40) : [];
const median = medianPatch();

console.log(`rules: ${rules.filter(({ nit }) => nit).length} nits`);
console.log(`all nits on a median patch (${median.lines} lines): ${show(await ours(median, rounds))} (under 1 ms)`);
if (samples.length > 0) {
  const times: number[] = [];
  for (const sample of samples) times.push(await ours(sample, 30));
  report('ours, start-up apart', times, samples);
}
const script = findCheckpatch();
if (script === undefined) console.log('checkpatch.pl: missing (apt-get install linux-source-6.12)');
else checkpatch(script, samples.length > 0 ? samples : [median]);

/** Milliseconds of CPU for one run of all nits; what a patch keeps between rules is dropped by reading it anew each time. */
async function ours({ mail }: Sample, times: number): Promise<number> {
  const message = await parseMessage(Buffer.from(mail));
  const evidence = { logs: [], claims: [], measurements: [] };
  const fresh = (): RuleInput[] => {
    const copy = { ...message };
    return parsePatches(copy).patches.map((patch, patchIndex) => ({
      message: copy,
      patch,
      patchIndex,
      changes: [],
      evidence,
    }));
  };
  for (const input of Array.from({ length: warmUp }, fresh).flat()) checkRules(input, { nitsOnly: true });
  const inputs = Array.from({ length: times }, fresh);
  const start = process.cpuUsage();
  for (const patches of inputs) for (const input of patches) checkRules(input, { nitsOnly: true });
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e3 / times;
}

function checkpatch(path: string, patches: readonly Sample[]): void {
  // CPU time of the child, as the shell's `times` tells it: on a shared machine the clock says little.
  const run = (mail: string): number => {
    const command = 'perl "$0" --no-tree --terse --strict - >/dev/null 2>&1; times';
    const { stdout } = spawnSync('bash', ['-c', command, path], { input: mail, encoding: 'utf8' });
    const spent = [...(stdout.trim().split('\n').at(-1) ?? '').matchAll(/(\d+)m([\d.]+)s/g)];
    return spent.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 6e4 + Number(seconds) * 1e3, 0);
  };
  const tiny = 'Subject: x\n\nx\n';
  const startUp = Math.min(...Array.from({ length: 5 }, () => run(tiny)));
  console.log(`checkpatch.pl start-up: ${show(startUp)}`);
  report(
    'checkpatch.pl, start-up apart',
    patches.map(({ mail }) => Math.max(0, run(mail) - startUp)),
    patches,
  );
}

function report(name: string, times: readonly number[], patches: readonly Sample[]): void {
  const sorted = [...times].sort((a, b) => a - b);
  const sum = times.reduce((a, b) => a + b, 0);
  const lines = patches.reduce((a, b) => a + b.lines, 0);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  console.log(`${name}: ${patches.length} patches, median ${show(middle)}, ${show(sum / lines)} a diff line`);
}

function show(milliseconds: number): string {
  return milliseconds < 1 ? `${(milliseconds * 1000).toFixed(1)} us` : `${milliseconds.toFixed(2)} ms`;
}

function corpusSamples(count: number): Sample[] {
  const folder = join(sharedFolder, 'corpus', 'checkpatch', 'patches');
  const names = readdirSync(folder).sort();
  const step = Math.max(1, Math.floor(names.length / count));
  return names.filter((_, at) => at % step === 0).map((name) => sampleOf(readFileSync(join(folder, name), 'utf8')));
}

function sampleOf(mail: string): Sample {
  return { mail, lines: mail.split('\n').length };
}

// 144 lines, as the median of 1,520 real ones.
function medianPatch(): Sample {
  const body = Array.from({ length: 110 }, (_, at) => {
    if (at % 3 === 0) return `+\tret = gizmo_write(gz, GIZMO_REG_${at}, value | BIT(${at % 32})); /* step ${at} */`;
    return at % 3 === 1 ? `-\tudelay(${at});` : ' \tif (ret < 0)';
  });
  const count = (mark: RegExp): number => body.filter((line) => mark.test(line)).length;
  const hunk = `@@ -10,${count(/^[ -]/)} +10,${count(/^[ +]/)} @@ static int gizmo_start(struct gizmo *gz)`;
  const log = Array.from(
    { length: 14 },
    (_, at) => `The gizmo is started in ${at} steps, each of which is checked now.`,
  );
  const head =
    'From: Ada Example <ada@example.org>\nSubject: [PATCH] gizmo: check each step\nMessage-ID: <1@example.org>\n';
  const trail = 'Signed-off-by: Ada Example <ada@example.org>\n---\n drivers/misc/gizmo.c | 110 +-\n 1 file changed\n';
  const files =
    'diff --git a/drivers/misc/gizmo.c b/drivers/misc/gizmo.c\n--- a/drivers/misc/gizmo.c\n+++ b/drivers/misc/gizmo.c\n';
  return sampleOf(`${head}\n${log.join('\n')}\n\n${trail}\n${files}${hunk}\n${body.join('\n')}\n-- \n2.45.0\n`);
}
