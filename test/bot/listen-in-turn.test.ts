import { expect, test } from 'vitest';
import { newHealth } from '../../src/shell/bot/health.js';
import { openLog } from '../../src/shell/bot/index.js';
import { listenInTurn, register, type ListenerParts } from '../../src/shell/bot/listener.js';
import { soleTurns, type Turns } from '../../src/shell/store/index.js';

/** Listens by turns that are refused as told before each is given; gives what each listening was told, and how the source stood in between. */
async function listenWith(refusals: readonly boolean[]): Promise<{ patient: boolean[]; stoodBy: boolean[] }> {
  const end = new AbortController();
  const patient: boolean[] = [];
  const stoodBy: boolean[] = [];
  const state = register(newHealth(), 'box', 1000);
  const sole = soleTurns(() => undefined);
  let asked = 0;
  const turns: Turns = {
    ...sole,
    areGiven: () => refusals[asked - 1] !== false,
    take: async (key) => {
      if (asked > 0 && asked <= refusals.length) stoodBy.push(state.standby);
      return asked++ < refusals.length ? undefined : sole.take(key);
    },
  };
  const parts = { turns, log: openLog('silent') } as unknown as ListenerParts; // it asks for no more
  await listenInTurn('box', { state, parts, signal: end.signal }, async (_mine, isPatient) => {
    patient.push(isPatient);
    if (patient.length === 2) end.abort();
    await Promise.resolve();
  });
  return { patient, stoodBy };
}

test('trouble that lasts ends a process at its first start, and is waited for at every later turn', async () => {
  expect(await listenWith([])).toEqual({ patient: [false, true], stoodBy: [] });
});

test('one that has stood by waits for trouble that lasts; while nobody can say who listens it does not stand by', async () => {
  expect(await listenWith([true, false, true])).toEqual({ patient: [true, true], stoodBy: [true, false, true] });
});
