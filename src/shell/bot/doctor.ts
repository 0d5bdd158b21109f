import { randomBytes } from 'node:crypto';
import { access, constants, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { closeClient, inboxReader, maildirReader, openClient, openMailbox } from '../source/index.js';
import {
  Failure,
  loadPolicy,
  loadSettings,
  readSecret,
  type FolderSettings,
  type ImapSettings,
  type Settings,
} from '../config/index.js';
import { SmtpError } from '../transport/index.js';
import { asFailure, openConfiguredStore, openSmtp } from './daemon.js';
import { imapAccount } from './listener.js';
import type { Log } from './log.js';

/** One thing that was looked at: fine, worth a thought, or broken. */
export type Checked =
  | { readonly kind: 'ok'; readonly what: string; readonly found: string }
  | { readonly kind: 'note'; readonly what: string; readonly found: string }
  | { readonly kind: 'wrong'; readonly what: string; readonly failure: Failure };

const silent: Log = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
  hide: () => undefined,
};

/** Looks at everything that the daemon needs, one after the other, and sends nothing. */
export async function* examine(file: string): AsyncGenerator<Checked> {
  const settings = yield* attempt(`settings ${file}`, async () => {
    const loaded = await loadSettings(file);
    return { value: loaded, found: `store ${storeName(loaded.store)}` };
  });
  if (settings === undefined) return;
  yield* attempt(`policy ${settings.policy}`, () => checkPolicy(settings));
  yield* attempt('instance secret', async () => {
    const value = await readSecret(settings.instance.secret, process.env);
    if (value.length < 16) throw new Failure('configuration', 'the instance secret is shorter than 16 characters');
    return { value, found: 'is there' };
  });
  yield* checkSecretFiles(settings);
  yield* attempt(`store ${storeName(settings.store)}`, () => checkStore(settings));
  for (const folder of settings.folders) yield* attempt(`${folder.kind} ${folder.path}`, () => checkFolder(folder));
  if (settings.imap !== undefined) yield* checkImap(settings.imap);
  else if (settings.folders.length === 0) {
    yield { kind: 'note', what: 'imap', found: 'not set, and no folders: no mail is read' };
  }
  if (settings.smtp === undefined) {
    yield { kind: 'note', what: 'smtp', found: 'not set: the channels operator, author and list cannot send' };
  } else {
    yield* attempt(`smtp ${settings.smtp.host}`, () => checkSmtp(settings));
  }
  yield* checkKillFile(settings);
}

async function* attempt<T>(
  what: string,
  work: () => Promise<{ value: T; found: string }>,
): AsyncGenerator<Checked, T | undefined> {
  try {
    const { value, found } = await work();
    yield { kind: 'ok', what, found };
    return value;
  } catch (error) {
    const failure = error instanceof SmtpError ? ofSmtp(error) : asFailure(error);
    if (!(failure instanceof Failure)) throw error;
    yield { kind: 'wrong', what, failure };
    return undefined;
  }
}

function ofSmtp(error: SmtpError): Failure {
  const code = {
    refused: 'login-refused',
    certificate: 'certificate',
    'no-tls': 'no-tls',
    unreachable: 'unreachable',
  } as const;
  return new Failure(code[error.trouble], error.message, error);
}

async function checkPolicy(settings: Settings): Promise<{ value: undefined; found: string }> {
  const state = await loadPolicy(settings.policy);
  if (state.kind === 'none') throw new Failure('configuration', state.why);
  const lists = state.policy.lists.map((list) => `${list.listId} (${list.channel})`);
  const needsOperator = state.policy.lists.some((list) => list.channel === 'operator');
  if (needsOperator && state.policy.operator === undefined) {
    throw new Failure(
      'configuration',
      `${settings.policy}:1: a list has the channel "operator" and no operator is named`,
    );
  }
  return { value: undefined, found: lists.length === 0 ? 'no list has opted in' : lists.join(', ') };
}

/** Opens the store, which brings it up to date, and writes nothing else. */
async function checkStore(settings: Settings): Promise<{ value: undefined; found: string }> {
  if (settings.store.startsWith('sqlite:')) {
    const folder = dirname(settings.store.slice('sqlite:'.length));
    try {
      await access(folder, constants.W_OK);
      const probe = join(folder, `.reveille-${randomBytes(6).toString('hex')}`);
      await writeFile(probe, '');
      await rm(probe);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? '';
      throw new Failure('store-unreachable', `the folder ${folder} cannot be written (${code})`, error);
    }
  }
  const store = await openConfiguredStore(settings, silent);
  await store.close();
  return { value: undefined, found: 'opens and is up to date' };
}

/** What reading would begin with; nothing is read, and no cursor moves. */
async function checkFolder({ path, kind }: FolderSettings): Promise<{ value: undefined; found: string }> {
  const reader = kind === 'maildir' ? maildirReader(path) : inboxReader(path);
  try {
    await reader.start();
  } catch (error) {
    if (error instanceof Failure) throw error;
    const code = (error as NodeJS.ErrnoException).code ?? '';
    throw new Failure('unreadable', `${path}: cannot be read as a ${kind} (${code})`, error);
  }
  return { value: undefined, found: 'can be read' };
}

async function* checkImap(imap: ImapSettings): AsyncGenerator<Checked> {
  const where = `imap ${imap.user}@${imap.host}`;
  const client = yield* attempt(where, async () => {
    const value = await openClient(await imapAccount(imap, silent));
    return { value, found: value.secureConnection ? 'logged in, over TLS' : 'logged in, without TLS' };
  });
  if (client === undefined) return;
  try {
    for (const mailbox of imap.mailboxes ?? [imap.mailbox]) {
      yield* attempt(`mailbox ${mailbox}`, async () => {
        const box = await openMailbox(client, mailbox);
        return { value: undefined, found: `the next mail will be UID ${box.uidNext}` };
      });
    }
  } finally {
    await closeClient(client);
  }
}

async function checkSmtp(settings: Settings): Promise<{ value: undefined; found: string }> {
  const smtp = await openSmtp(settings, silent);
  try {
    await smtp?.check();
  } finally {
    await smtp?.close();
  }
  return { value: undefined, found: settings.smtp?.user === undefined ? 'answers' : 'logged in' };
}

/** A secret that everybody on the machine can read is no secret. */
async function* checkSecretFiles(settings: Settings): AsyncGenerator<Checked> {
  const refs = [settings.instance.secret, settings.smtp?.password, settings.imap?.password, settings.storePassword];
  const files = refs.flatMap((ref) => (ref !== undefined && 'file' in ref ? [ref.file] : []));
  for (const file of new Set(files)) {
    const mode = await stat(file).then(
      (found) => found.mode,
      () => 0, // that it cannot be read is said where it is needed
    );
    if ((mode & 0o044) !== 0) yield { kind: 'note', what: file, found: 'others may read it: chmod 600' };
  }
}

async function* checkKillFile(settings: Settings): AsyncGenerator<Checked> {
  const there = await access(settings.killFile).then(
    () => true,
    () => false,
  );
  if (there)
    yield { kind: 'note', what: `kill file ${settings.killFile}`, found: 'is there: nothing is decided or sent' };
}

/** A store's URL without what may be a password in it. */
export function storeName(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/]*):[^@/]*@/, '$1:...@');
}
