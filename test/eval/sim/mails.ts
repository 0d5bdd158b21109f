import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findChanges, type DelayChange } from '../../../src/core/delay/index.js';
import { estimateChanges } from '../../../src/core/estimate/index.js';
import { readEvidence, relateEvidence } from '../../../src/core/evidence/index.js';
import { parseMessage } from '../../../src/core/mail/index.js';
import { parsePatches } from '../../../src/core/patch/index.js';
import { loadCatalogue, openCParser } from '../../../src/shell/config/index.js';

/** Whole mails: what is predicted for the patch in them, from their own logs. */
export async function scoreMails(seeds: string): Promise<void> {
  console.log('\n-- mails with a patch and logs, and what others measured of the same patch');
  const kit = {
    parser: await openCParser(),
    catalogue: loadCatalogue(join(import.meta.dirname, '..', '..', '..', 'config', 'delays')),
  };
  for (const thread of readdirSync(seeds, { withFileTypes: true }).filter((e) => e.isDirectory())) {
    let asked: readonly DelayChange[] = [];
    const mails = readdirSync(join(seeds, thread.name)).filter((f) => f.endsWith('.eml'));
    for (const name of mails.sort()) {
      const message = await parseMessage(readFileSync(join(seeds, thread.name, name)));
      const own = findChanges(parsePatches(message).patches, kit);
      const reply = own.length === 0;
      if (!reply) asked = own;
      const found = readEvidence(message);
      if (found.logs.length === 0 || asked.length === 0) continue;
      const evidence = relateEvidence([{ id: name, byAuthor: !reply, ...found }], asked);
      if (evidence.measurements.every((m) => m.byAuthor === undefined)) continue;
      const options = {
        profiles: [],
        seed: 1,
        streamName: name,
        ...(message.date === undefined ? {} : { date: message.date }),
      };
      for (const e of estimateChanges(asked, evidence, options)) {
        const first = e.fits[0];
        const waits = String(e.assumptions.find((a) => a.name === 'waits')?.value ?? '-');
        const span = [e.saved.min, e.saved.likely, e.saved.max].map((v) => (v / 1e6).toFixed(2)).join(' / ');
        console.log(
          `  ${thread.name}/${name}: saves ${span} ms; HZ=${first?.hz ?? '-'} ${first?.era ?? ''}, waits ${waits}; boot path ${e.bootPath}`,
        );
      }
    }
  }
}
