import { isReplySubject, parseMessage } from '../../core/mail/index.js';
import { parsePatches } from '../../core/patch/index.js';
import type { Source } from '../../core/review/index.js';
import { Failure, type Settings } from '../config/index.js';
import { checkpatchIn, cleanMail, runCheckpatch, type CheckpatchOutcome } from '../tree/index.js';
import type { Mail } from './read-batch.js';

/** The checkpatch.pl that a user means: of `--tree`, else `checkpatch.path` or `tree` of the settings. */
export async function checkpatchPath(options: { readonly tree?: string; readonly config?: string }): Promise<string> {
  const settings = options.config === undefined ? undefined : await settingsOf(options.config);
  const path = options.tree ?? settings?.checkpatch?.path ?? settings?.tree;
  if (path === undefined)
    throw new Failure('usage', 'say whose checkpatch.pl: --tree DIR, or --config FILE with checkpatch.path');
  const script = checkpatchIn(path);
  if (script === undefined) throw new Failure('checkpatch', `${path}: no scripts/checkpatch.pl there`);
  return script;
}

/** What a kernel tree's checkpatch.pl says of the patches of a source, while their mails pass on to be read. */
export type CheckpatchRuns = {
  readonly mails: AsyncIterable<Mail>;
  /** Undefined for a mail without a patch of its own; it settles when the script has ended. */
  readonly outcomeOf: (source: Source) => Promise<CheckpatchOutcome> | undefined;
};

// A run takes a quarter of a second of one processor, and the readers want theirs.
const atOnce = 2;

/** Runs the script once a patch mail of `mails` as they are read, a few at a time. `path`: a tree, or the script. */
export function startCheckpatch(mails: AsyncIterable<Mail>, path: string): CheckpatchRuns {
  const outcomes = new Map<string, Promise<CheckpatchOutcome>>();
  async function* passing(): AsyncGenerator<Mail> {
    const running = new Set<Promise<unknown>>();
    for await (const mail of mails) {
      const text = await patchText(mail.bytes);
      if (text !== undefined) {
        while (running.size >= atOnce) await Promise.race(running);
        const run = runCheckpatch(path, text);
        outcomes.set(JSON.stringify(mail.source), run);
        const ended = run.finally(() => running.delete(ended));
        running.add(ended);
      }
      yield mail;
    }
  }
  return { mails: passing(), outcomeOf: (source) => outcomes.get(JSON.stringify(source)) };
}

async function patchText(bytes: Uint8Array): Promise<string | undefined> {
  const message = await parseMessage(bytes);
  if (isReplySubject(message.subject) || parsePatches(message).patches.length === 0) return undefined;
  return cleanMail(message);
}

/** Loaded when asked for: most reviews have no settings, and the checks of a settings file take long to load. */
async function settingsOf(file: string): Promise<Settings> {
  const { loadSettings } = await import('../config/index.js');
  return loadSettings(file);
}
