import { readEvidence, type Claim } from '../../../src/core/evidence/index.js';
import { check, halfOf, share } from './halves.js';

const kinds: Readonly<Record<string, Claim['kind']>> = {
  'measured-improvement': 'improvement',
  regression: 'regression',
  'delta-only': 'delta-only',
  'parameter-change': 'parameter',
  'no-number': 'no-number',
  'not-a-claim': 'not-a-claim',
};

type Tally = {
  right: number;
  of: number;
  invented: number;
  empty: number;
  kind: number;
  rows: number;
  confused: string[];
};

/** Each sentence goes in as a mail of its own; the first claim read from it is scored, field by field. */
export function evalClaims(tsv: string, verbose: boolean): void {
  const [head = '', ...rows] = tsv.split('\n').filter((l) => l.trim() !== '');
  const names = head.split('\t');
  const tallies: Record<'A' | 'B', Tally> = { A: blank(), B: blank() };
  for (const row of rows) {
    const cells = new Map(row.split('\t').map((cell, i) => [names[i] ?? '', cell]));
    const sentence = cells.get('sentence') ?? '';
    const half = halfOf(sentence);
    const tally = tallies[half];
    const claims = readEvidence({ subject: '', text: `${sentence}\n`, attachments: [] }).claims;
    const first = claims[0];
    const got: Readonly<Record<string, number | undefined>> = {
      before_us: us(first?.before),
      after_us: us(first?.after),
      factor: first?.factor,
      percent: first?.percent,
      delta_us: us(first?.delta),
    };
    const wrong: string[] = [];
    for (const [field, value] of Object.entries(got)) {
      const wanted = /-?\d+(?:\.\d+)?/.exec(cells.get(field) ?? '')?.[0];
      if (wanted === undefined) {
        tally.empty++;
        if (value !== undefined) tally.invented++;
        if (value !== undefined) wrong.push(`${field} invented ${String(value)}`);
        continue;
      }
      tally.of++;
      const right = value !== undefined && Math.abs(value - Number(wanted)) <= 1e-6 * Math.abs(Number(wanted));
      if (right) tally.right++;
      else wrong.push(`${field} ${String(value)} not ${wanted}`);
    }
    const kind = kinds[cells.get('kind') ?? ''];
    tally.rows++;
    const isNone = first === undefined && (kind === 'not-a-claim' || kind === 'no-number');
    if (first?.kind === kind || isNone) tally.kind++;
    else {
      wrong.push(`kind ${String(first?.kind)} not ${String(kind)}`);
      tally.confused.push(`${String(kind)} read as ${String(first?.kind)}`);
    }
    if (verbose && half === 'A' && wrong.length > 0) console.log(`  ${sentence}\n    ${wrong.join('; ')}`);
  }
  for (const half of ['A', 'B'] as const) {
    const t = tallies[half];
    console.log(`claims, half ${half}: non-empty fields right: ${share(t.right, t.of)} (>= 95 %)`);
    console.log(`claims, half ${half}: empty fields filled: ${String(t.invented)} of ${String(t.empty)} (0)`);
    console.log(
      `claims, half ${half}: kind right: ${share(t.kind, t.rows)} (>= 95 %)${t.confused.length > 0 ? `; ${t.confused.sort().join(', ')}` : ''}`,
    );
    console.log(`claims, half ${half}: fields and kinds right: ${share(t.right + t.kind, t.of + t.rows)} (>= 95 %)`);
  }
  const { A, B } = tallies;
  const right = A.right + B.right + A.kind + B.kind;
  const of = A.of + B.of + A.rows + B.rows;
  const invented = A.invented + B.invented;
  check('claims: fields and kinds right', share(right, of), '>= 95 %', right >= 0.95 * of);
  check('claims: empty fields filled', `${String(invented)} of ${String(A.empty + B.empty)}`, '0', invented === 0);
}

function blank(): Tally {
  return { right: 0, of: 0, invented: 0, empty: 0, kind: 0, rows: 0, confused: [] };
}

function us(value: number | undefined): number | undefined {
  return value === undefined ? undefined : value / 1e3;
}
