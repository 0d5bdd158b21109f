// npm run eval -- evidence: claims, boot logs, fingerprints, the seeds and the boot gain by pairs, against ../shared.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { evalBootLogs, evalFingerprints } from './evidence/boot-logs.js';
import { missed } from './evidence/halves.js';
import { evalClaims } from './evidence/claims.js';
import { evalPairs } from './evidence/pairs.js';
import { evalSeeds } from './evidence/seeds.js';
import { sharedFolder } from '../support/shared.js';

const named = process.argv.find((a) => a.startsWith('--shared='))?.slice('--shared='.length);
const shared = named ?? sharedFolder;
const verbose = process.argv.includes('--verbose');

function filesOf(folder: string): { name: string; text: string }[] {
  const path = join(shared, 'corpus', folder);
  if (!existsSync(path)) return [];
  return readdirSync(path)
    .sort()
    .map((name) => ({ name, text: readFileSync(join(path, name), 'utf8') }));
}

const claims = join(shared, 'corpus', 'claims.tsv');
if (existsSync(claims)) evalClaims(readFileSync(claims, 'utf8'), verbose);
const bootlogs = filesOf('bootlogs').filter((f) => f.name.endsWith('.txt'));
const timing = filesOf('timing').filter((f) => !/\.csv$|^README/.test(f.name));
evalBootLogs('bootlogs', bootlogs, verbose);
evalBootLogs('timing', timing, verbose);
evalFingerprints(timing, verbose);
evalPairs(timing);
await evalSeeds(join(shared, 'seeds'));
console.log(`\n${String(missed.count)} missed`);
process.exitCode = missed.count > 0 ? 1 : 0;
