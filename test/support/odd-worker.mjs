// A worker that reads mails as its texts say: `hang` never ends, `slow` takes its time.
import { setTimeout as pause } from 'node:timers/promises';

export async function readInWorker({ mails }) {
  const done = [];
  for (const { bytes } of mails) {
    const text = Buffer.from(bytes).toString();
    if (text === 'hang') for (;;);
    if (text === 'slow') await pause(30);
    done.push({ kept: { id: text, interesting: false, patch: false, lists: [] }, json: new Uint8Array() });
  }
  return done;
}
