/**
 * Scores the clocks against delays measured in booted kernels, and the estimate against pairs of boot logs. Kernel and HZ are read from
 * the files; what a file's name says (hog, realtime, before, after) is as its README defines it. Ends with status 1 when a target
 * is missed; what few samples explain is named beside the figure to the letter.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sharedFolder } from '../support/shared.js';
import { scoreDelays } from './sim/delays.js';
import { scoreFormulas } from './sim/formulas.js';
import { scoreMails } from './sim/mails.js';
import { scorePairs } from './sim/pairs.js';
import { scoreRealtime } from './sim/realtime.js';
import { missed } from './sim/score.js';

const named = process.argv.find((a) => a.startsWith('--shared='))?.slice('--shared='.length);
const shared = named ?? sharedFolder;
const folder = join(shared, 'corpus', 'timing');
const verbose = process.argv.includes('--failures');

const tables = readdirSync(folder).filter(
  (f) => f.startsWith('delay-') && f.endsWith('.csv') && !f.endsWith('.raw.csv'),
);
scoreDelays(folder, tables, verbose);
scoreRealtime(folder, tables);
const expected = join(folder, 'expected-delays.csv');
if (existsSync(expected)) scoreFormulas(expected);
scorePairs(folder);
const seeds = join(shared, 'seeds');
if (existsSync(seeds)) await scoreMails(seeds);
console.log(`\n${missed.count} missed`);
process.exitCode = missed.count > 0 ? 1 : 0;
