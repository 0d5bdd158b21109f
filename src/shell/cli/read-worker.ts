import { openKit } from '../config/index.js';
import type { Kit } from '../../core/review/index.js';
import { readBatch, type Mail, type ReadMail } from './read-batch.js';

export type Batch = {
  readonly mails: readonly Mail[];
  readonly kernel?: string;
  readonly defaultRules?: boolean;
  readonly threads?: boolean;
};

let kit: Promise<Kit> | undefined;

/** What a worker thread does: the C parser is opened once, then batch after batch is read. */
export async function readInWorker(batch: Batch): Promise<ReadMail[]> {
  kit ??= openKit({ kernel: batch.kernel, defaultRules: batch.defaultRules });
  return readBatch(batch.mails, await kit, batch.threads);
}
