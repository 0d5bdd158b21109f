// Runs in a process of its own, started with tsx: reads mutated mails, so that a hang can be ended from outside.
import { answerTo, countHunks, kindOf, parseMessage } from '../../src/core/mail/index.js';

/** What became of one mail: CPU milliseconds, or what was thrown. */
export type FuzzResult = {
  readonly index: number;
  readonly cpu: number;
  readonly thrown?: string;
  readonly heap: number;
};

process.on('message', ({ index, bytes }: { index: number; bytes: Uint8Array }) => {
  void readOne(index, bytes).then((result) => process.send?.(result));
});

async function readOne(index: number, bytes: Uint8Array): Promise<FuzzResult> {
  const began = process.cpuUsage();
  let thrown: string | undefined;
  try {
    const message = await parseMessage(bytes);
    kindOf(message, { hasDiff: countHunks(message.text).closed > 0, tagged: false });
    answerTo(message, { people: 'copy' });
    JSON.stringify(message);
  } catch (error) {
    thrown = error instanceof Error ? (error.stack ?? error.message) : String(error);
  }
  const used = process.cpuUsage(began);
  return {
    index,
    cpu: (used.user + used.system) / 1000,
    heap: process.memoryUsage().heapUsed,
    ...(thrown === undefined ? {} : { thrown }),
  };
}
