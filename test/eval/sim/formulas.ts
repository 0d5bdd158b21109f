import { readFileSync } from 'node:fs';
import {
  backToBack,
  boundsOf,
  mechanismOf,
  ms,
  quietMachine,
  tickLength,
  us,
  versionOf,
  type Era,
} from '../../../src/core/kernel/index.js';
import { callOf } from './calls.js';
import { check } from './score.js';

/** The table of formulas: least, mean, most and back to back of each call, HZ and era. */
export function scoreFormulas(path: string): void {
  let [rows, exact, close] = [0, 0, 0];
  for (const line of readFileSync(path, 'utf8').trim().split('\n').slice(1)) {
    const [api = '', arg = '', hz, era, , mean, max, b2b] = line.split(',');
    const call = callOf(api, arg);
    if (call === undefined) continue;
    const machine = quietMachine(Number(hz), versionOf(era as Era));
    const mechanism = mechanismOf(call, machine);
    rows++;
    const tick = tickLength(machine.hz);
    const back = mechanism.kind === 'wheel' ? backToBack(mechanism.jiffies) * tick : boundsOf(mechanism, machine).max;
    const most = boundsOf(mechanism, machine).max;
    const near = (ours: number, theirs: string | undefined): boolean =>
      Math.abs(ours - ms(Number(theirs))) <= Math.max(us(8), ours * 0.001);
    if (near(back, b2b) && near(most, max)) exact++;
    const bounds = boundsOf(mechanism, machine);
    const middle = mechanism.kind === 'wheel' ? (bounds.min + bounds.max) / 2 : most;
    if (Math.abs(middle - ms(Number(mean))) <= 0.01 * middle + us(10)) close++;
  }
  console.log('\n-- formulas');
  check('back to back and most as in the table', `${exact}/${rows} rows`, 'all', exact === rows);
  check('mean within 1 % of the table', `${close}/${rows} rows`, 'all', close === rows);
}
