import { findChanges, type Catalogue } from '../delay/index.js';
import type { CParser } from '../csource/index.js';
import { readEvidence, relateEvidence } from '../evidence/index.js';
import { kindOf, parseMessage, type HeaderField, type KindFacts, type Message, type Unxz } from '../mail/index.js';
import { headOf, parsePatches, parseSubject, type Patch } from '../patch/index.js';
import { checkRules } from '../rules/index.js';
import { markNewFunctions } from './new-function.js';
import type { Reading } from './reading.js';
import { removedMarks } from './settled.js';
import { threadMailOf } from './thread-mail-of.js';
import type { ThreadMail } from './thread-mail.js';

/** The handles and settings that reading needs: the C parser is opened once a thread by the shell. */
export type Kit = {
  readonly parser: CParser;
  readonly catalogue: Catalogue;
  /** Unpacks attached logs in xz. */
  readonly unxz?: Unxz;
  /** Kernel version to read rules by, `6.12`; absent: the newest known. */
  readonly kernel?: string;
  /** Only the rules that are on by default: the others are of use only where every finding is asked for. */
  readonly defaultRules?: boolean;
};

// What later stages still ask of the headers; the rest is not kept.
const keptHeaders = new Set([
  'date',
  'auto-submitted',
  'list-post',
  'precedence',
  'return-path',
  'x-mailing-list',
  'x-original-from',
  'x-patchwork-hint',
  'x-reveille-kind',
]);

/** Reads one mail: bytes to plain data. Never throws on any bytes; the same bytes and kit give the same Reading. */
export async function read(bytes: Uint8Array, kit: Kit): Promise<Reading> {
  return readMessage(await parseMessage(bytes, kit.unxz), kit);
}

/** A Reading with what decisions over time keep of the mail beside it, from one parse. */
export async function readForThread(bytes: Uint8Array, kit: Kit): Promise<{ reading: Reading; mail: ThreadMail }> {
  const message = await parseMessage(bytes, kit.unxz);
  const reading = readMessage(message, kit);
  const { kind, kindReason, patches, head } = reading;
  return {
    reading,
    mail: threadMailOf(message, { kind, kindReason, patches, ...(head === undefined ? {} : { head }) }),
  };
}

function readMessage(message: Message, kit: Kit): Reading {
  const { patches, problems } = parsePatches(message);
  const { kind, reason } = kindOf(message, kindFacts(message, patches));
  const reviewed = kind === 'patch' || kind === 'bot' || kind === 'stable' ? patches : [];
  const changes = markNewFunctions(findChanges(patches, kit), patches);
  const { logs, claims } = readEvidence(message);
  const evidence = relateEvidence([{ id: message.id ?? '', logs, claims, byAuthor: true }], changes);
  const findings = reviewed.flatMap((patch, patchIndex) =>
    checkRules(
      { message, patch, patchIndex, changes, evidence, kernel: kit.kernel },
      { defaultsOnly: kit.defaultRules },
    ),
  );
  return {
    message: slimMessage({ ...message, problems: [...message.problems, ...problems] }),
    kind,
    kindReason: reason,
    head: headOf(message, patches),
    patches: patches.map(slimPatch),
    changes,
    logs,
    claims: evidence.claims,
    findings,
    ...(reviewed.some(({ index = 1 }) => index > 1) ? { removed: removedMarks(reviewed) } : {}),
  };
}

/** The Reading of a mail that could not be read, with the reason. */
export function readNothing(why: string): Reading {
  const message: Message = {
    replyTo: [],
    to: [],
    cc: [],
    subject: '',
    inReplyTo: [],
    references: [],
    lists: [],
    headers: [],
    text: '',
    attachments: [],
    problems: [{ kind: 'not-read', text: why }],
  };
  return { message, kind: 'other', kindReason: why, patches: [], changes: [], logs: [], claims: [], findings: [] };
}

function kindFacts(message: Message, patches: readonly Patch[]): KindFacts {
  const subject = parseSubject(message.subject);
  const hasDiff = patches.some((patch) => patch.files.length > 0);
  return { hasDiff, tagged: subject.isPatch, index: subject.index, total: subject.total };
}

function slimMessage(message: Message): Message {
  const headers: HeaderField[] = [];
  for (const { name, value } of message.headers) {
    if (keptHeaders.has(name)) headers.push({ name, value: value.slice(0, 998) });
  }
  return { ...message, headers, text: '', attachments: [] };
}

function slimPatch(patch: Patch): Patch {
  const files = patch.files.map((file) => ({ ...file, hunks: [] }));
  return { ...patch, files, log: { ...patch.log, lines: [] }, notes: { ...patch.notes, lines: [] } };
}
