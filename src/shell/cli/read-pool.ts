import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import type { Tinypool } from 'tinypool';
import { readNothing } from '../../core/review/index.js';
import { openKit } from '../config/index.js';
import { pack, readBatch, type Mail, type ReadMail } from './read-batch.js';
import type { Batch } from './read-worker.js';

export type PoolOptions = {
  readonly kernel?: string;
  /** Only the rules that are on by default. */
  readonly defaultRules?: boolean;
  /** Worker threads; 0 reads in this thread. */
  readonly jobs?: number;
  /** Spool what decisions over time need beside each Reading. */
  readonly threads?: boolean;
  /** Told of a mail that no worker could read in its time. */
  readonly onStuck: (mail: Mail) => void;
  /** Another worker than the compiled one, with the time that it is given for a batch and for one mail, in milliseconds. */
  readonly worker?: { readonly url: URL; readonly batchLimit: number; readonly mailLimit: number };
};

const batchBytes = 1 << 18;
const batchMails = 64;
/** A batch takes well under a second; a mail that takes this long never ends. */
const batchLimit = 60_000;
const mailLimit = 10_000;
// V8 lets a heap double before it collects garbage. A mail leaves next to nothing behind: a fifth is enough. No hard limit is set: one
// allocation that is larger than what is left of it would end the whole process.
const lateGrowth = '--heap-growing-percent=20';
// V8 optimises what has run a little and throws that away when other mail looks otherwise: later costs a fifth less CPU time in all.
const lateOptimising = '--interrupt-budget=400000';
// Optimising takes a quarter of an archive's time, and most of that goes into what is pulled into a function: 7 % less CPU time in all.
const littleInlining = '--max-inlined-bytecode-size-cumulative=200';
const youngHeap = { maxYoungGenerationSizeMb: 24 };

/**
 * Reads mails in worker threads and gives them back in their order. Few mails are read in this thread: starting another
 * would take longer. At most one batch more than there are workers is under way, so that a fast source cannot fill the memory.
 */
export async function* readInOrder(mails: AsyncIterable<Mail>, options: PoolOptions): AsyncGenerator<ReadMail> {
  const batches = inBatches(mails);
  const first = await batches.next();
  if (first.done === true) return;
  const second = await batches.next();
  const jobs = options.jobs ?? availableParallelism();
  // From source (tests) there is no compiled worker to load.
  const worker = options.worker ?? compiledWorker();
  if (second.done === true || jobs === 0 || worker === undefined) {
    const kit = await openKit({ kernel: options.kernel, defaultRules: options.defaultRules });
    try {
      yield* await readBatch(first.value, kit, options.threads);
      if (second.done !== true) yield* await readBatch(second.value, kit, options.threads);
      for await (const batch of batches) yield* await readBatch(batch, kit, options.threads);
    } finally {
      kit.parser.close();
    }
    return;
  }
  const pool = await openPool(worker.url, jobs);
  try {
    const under: Promise<ReadMail[]>[] = [];
    const start = (batch: readonly Mail[]): void => {
      const reading = readOrIsolate(pool, worker, batch, options);
      // It is awaited in its turn; until then a failure must not count as unhandled.
      reading.catch(() => undefined);
      under.push(reading);
    };
    start(first.value);
    start(second.value);
    for await (const batch of batches) {
      while (under.length > jobs) yield* (await under.shift()) ?? [];
      start(batch);
    }
    for (const reading of under) yield* await reading;
  } finally {
    await pool.destroy();
  }
}

type Worker = NonNullable<PoolOptions['worker']>;

function compiledWorker(): Worker | undefined {
  if (import.meta.url.endsWith('.ts')) return undefined;
  return { url: new URL('./read-worker.js', import.meta.url), batchLimit, mailLimit };
}

async function openPool(url: URL, threads: number): Promise<Tinypool> {
  const { Tinypool } = await import('tinypool');
  setFlagsFromString(lateGrowth);
  setFlagsFromString(lateOptimising);
  setFlagsFromString(littleInlining);
  return new Tinypool({
    filename: url.href,
    name: 'readInWorker',
    minThreads: threads,
    maxThreads: threads,
    resourceLimits: youngHeap,
  });
}

/** A batch that does not end is read again mail by mail, so that one mail spoils only itself. */
async function readOrIsolate(
  pool: Tinypool,
  worker: Worker,
  mails: readonly Mail[],
  options: PoolOptions,
): Promise<ReadMail[]> {
  const { kernel, defaultRules, threads } = options;
  try {
    return await readWithin(pool, { mails, kernel, defaultRules, threads }, worker.batchLimit);
  } catch (error) {
    if (!isAbort(error)) throw error;
  }
  const done: ReadMail[] = [];
  for (const mail of mails) {
    try {
      done.push(...(await readWithin(pool, { mails: [mail], kernel, defaultRules, threads }, worker.mailLimit)));
    } catch (error) {
      if (!isAbort(error)) throw error;
      options.onStuck(mail);
      done.push(pack(readNothing('reading this mail took too long; it was given up'), mail.source));
    }
  }
  return done;
}

async function readWithin(pool: Tinypool, batch: Batch, limit: number): Promise<ReadMail[]> {
  // The worker's own result, typed by the function that it runs.
  return (await pool.run(batch, { signal: AbortSignal.timeout(limit) })) as ReadMail[];
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
}

async function* inBatches(mails: AsyncIterable<Mail>): AsyncGenerator<Mail[]> {
  let batch: Mail[] = [];
  let bytes = 0;
  for await (const mail of mails) {
    batch.push({ ...mail, bytes: owned(mail.bytes) });
    bytes += mail.bytes.length;
    if (bytes < batchBytes && batch.length < batchMails) continue;
    yield batch;
    batch = [];
    bytes = 0;
  }
  if (batch.length > 0) yield batch;
}

/** A view into a large read buffer would be posted with all of that buffer. */
function owned(bytes: Uint8Array): Uint8Array {
  return bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes);
}
