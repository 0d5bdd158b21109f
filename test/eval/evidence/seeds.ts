import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  compare,
  readEvidence,
  relateEvidence,
  type Evidence,
  type Measurement,
} from '../../../src/core/evidence/index.js';
import { parseMessage } from '../../../src/core/mail/index.js';
import { missed } from './halves.js';
import type { DelayChange, Wait } from '../../../src/core/delay/index.js';

/** The two threads: what their logs and claims say, in figures that were worked out by hand. */
export async function evalSeeds(folder: string): Promise<void> {
  const nvme = await threadOf(join(folder, 'nvme'), [
    change('msleep(100)', 100e6, 100e6, 'usleep_range(1000, 2000)', 1e6, 2e6),
  ]);
  if (nvme) {
    const queues = of(nvme, 'queues', 1);
    show('nvme: before to queues, us', queues?.before[0], 217242e3);
    show('nvme: after to queues, us', queues?.after[0], 6369e3);
    show('nvme: saved to queues, us', queues?.saved, 210873e3);
    show('nvme: anchor', queues?.anchor.includes('initcall nvme_init') ? 1 : 0, 1);
    show('nvme: saved to init, us', of(nvme, 'init', 1)?.saved, 210362e3);
    show('nvme: reached', queues?.reached === 'yes' ? 1 : 0, 1);
    const five = of(nvme, 'queues', 5);
    const differences = [...(five?.before ?? []), ...(five?.after ?? [])].map((v) => v / 1e3);
    const table = [76461, 79041, 71366, 70107, 70793, 87732, 75185, 74332, 81819, 81161];
    show("nvme: the reviewer's ten differences", differences.filter((v, i) => v === table[i]).length, 10);
    show('nvme: his runs cannot have met the wait', five?.reached === 'no' ? 1 : 0, 1);
    const tabled = nvme.logs.flatMap((l) => l.samples ?? []).map((s) => Math.round(s.value / 1e3));
    show("nvme: the table's own ten values read", table.filter((v) => tabled.includes(v)).length, 10);
    const c = compare(
      table.slice(0, 5).map((v) => v * 1e3),
      table.slice(5).map((v) => v * 1e3),
    );
    show('E.1 Welch p', c.stats.welchP, 0.06719, 1e-4);
    show('E.1 exact U p', c.stats.mannWhitneyP, 0.095238, 1e-5);
    show('E.1 minimum detectable effect, us', c.stats.minimumDetectableUs, 9670, 1e-3);
  }
  const ena = await threadOf(join(folder, 'ena'), [change('msleep(5)', 5e6, 5e6, 'usleep_range(10, 20)', 1e4, 2e4)]);
  if (ena) {
    const calls = ena.logs.flatMap((l) => l.initcalls.filter((i) => i.name === 'ena_init'));
    show('ena: 173616 units are, ns', calls.find((i) => i.logged === 173616)?.took, 173616 * 1024);
    show('ena: 1920 units are, ns', calls.find((i) => i.logged === 1920)?.took, 1920 * 1024);
    const claim = ena.claims.find((c) => c.before !== undefined && c.factor !== undefined);
    show(
      'ena: the factor holds',
      claim?.checks.some((c) => c.of === 'factor' && c.holds === 'yes' && c.why.includes('90.4')) ? 1 : 0,
      1,
    );
    show(
      'ena: the unit does not, with both values',
      claim?.checks.some((c) => c.of === 'unit' && c.holds === 'no' && c.why.includes('177.783')) ? 1 : 0,
      1,
    );
  }
}

async function threadOf(folder: string, changes: readonly DelayChange[]): Promise<Evidence | undefined> {
  if (!existsSync(folder)) return undefined;
  const mails = [];
  for (const name of readdirSync(folder).sort()) {
    const message = await parseMessage(readFileSync(join(folder, name)));
    mails.push({ id: message.id ?? name, byAuthor: false, ...readEvidence(message) });
  }
  return relateEvidence(mails, changes);
}

function of(evidence: Evidence, what: string, runs: number): Measurement | undefined {
  return evidence.measurements.find(
    (m) => m.what.includes(what) && m.before.length === runs && !m.what.startsWith('initcall'),
  );
}

function show(name: string, got: number | string | null | undefined, wanted: number, tolerance = 1e-9): void {
  const right = typeof got === 'number' && Math.abs(got - wanted) <= tolerance * Math.max(1, Math.abs(wanted));
  if (!right) missed.count++;
  console.log(`seeds, ${name}: ${String(got)} (${String(wanted)})${right ? '' : '  MISSED'}`);
}

function change(before: string, min: number, max: number, after: string, min2: number, max2: number): DelayChange {
  const wait = (text: string, low: number, high: number): Wait => ({
    text,
    span: { min: low, max: high },
    resolved: 'literal',
    unknown: [],
  });
  return {
    patch: 0,
    effect: 'changed',
    kind: 'sleep',
    file: 'x.c',
    before: wait(before, min, max),
    after: wait(after, min2, max2),
    uses: [],
    role: { is: 'poll-interval', by: '', sure: 1 },
    path: { is: 'init', by: '', sure: 1 },
    bound: { before: 'unknown', after: 'unknown' },
    rounds: {},
    budget: {},
    backoff: {},
    siblings: [],
    quote: [],
  };
}
