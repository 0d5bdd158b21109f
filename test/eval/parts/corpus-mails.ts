import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join, relative } from 'node:path';
import { openSources, type SourceMail } from '../../../src/shell/source/index.js';
import { sharedFolder } from '../../support/shared.js';

/** The halves of the shared set: failures are looked at in `even` only, figures are printed for both. */
export type Half = 'even' | 'odd';

export type CorpusMail = SourceMail & { readonly name: string; readonly half: Half; readonly set: string };

const sets: readonly (readonly [string, string])[] = [
  ['mail', 'corpus/mail'],
  ['delay', 'corpus/delay/patches'],
  ['negatives', 'corpus/negatives'],
  ['checkpatch', 'corpus/checkpatch/patches'],
  ['archive', 'corpus/archives'],
];

/** Every mail of the shared sets with a name that is the same on every run. */
export async function* corpusMails(wanted: readonly string[] = sets.map(([name]) => name)): AsyncGenerator<CorpusMail> {
  for (const [set, folder] of sets) {
    const path = join(sharedFolder, folder);
    if (!wanted.includes(set) || !existsSync(path)) continue;
    const onProblem = (problem: Error): void => console.log(`  cannot read: ${problem.message}`);
    for await (const mail of openSources([path], { onProblem })) {
      const { offset } = mail.source;
      const name = relative(sharedFolder, mail.source.path) + (offset === undefined ? '' : `@${offset}`);
      const even = (createHash('sha1').update(name).digest()[0] ?? 0) % 2 === 0;
      yield { ...mail, name, set, half: even ? 'even' : 'odd' };
    }
  }
}
