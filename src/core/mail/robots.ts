import { valuesOf } from './head.js';
import type { Message } from './message.js';
import { bracketWords } from './subject.js';

/** A mail that no person wrote for a reader, with what gave it away. */
export type Robot = { readonly kind: 'bot' | 'stable' | 'notification'; readonly reason: string };

type Test = (message: Message) => Robot | undefined;

/** Says whether a mail comes from a machine: bots, stable queues, commit and list notifications, bounces, auto-replies. */
export function robotOf(message: Message): Robot | undefined {
  for (const test of tests) {
    const robot = test(message);
    if (robot !== undefined) return robot;
  }
  return undefined;
}

/** Whether an address is a known bot's or a mail system's, so that no answer goes there. */
export function isRobotAddress(address: string): boolean {
  return botName(address) !== undefined || isMailSystem(address);
}

const tests: readonly Test[] = [own, bounce, knownBot, stable, commit, tracker, automatic, bySignature];

/** Senders of automatic review and test mail; whole addresses or domains, as they stand in list archives. */
const knownBots: readonly (readonly [RegExp, string])[] = [
  [/^lkp@intel\.com$/, 'kernel test robot'],
  [/@syzkaller\.appspotmail\.com$/, 'syzbot'],
  [/^patchwork-bot\+[^@]*@kernel\.org$/, 'patchwork-bot'],
  [/^pr-tracker-bot@kernel\.org$/, 'pr-tracker-bot'],
  [/^sashiko-(?:bot|reviews)@/, 'sashiko'],
  [/^bot@kernelci\.org$|^kernelci[^@]*@/, 'KernelCI'],
  [/^bot\+bpf-ci@kernel\.org$/, 'bpf-ci'],
  [/^patchwork@emeril\.freedesktop\.org$/, 'Patchwork CI'],
  [/^robot@bytheb\.org$/, '0-day robot'],
  [/^tip-bot2?@/, 'tip-bot'],
];

// `bluez.test.bot@`, `bot+x@`, `checkpatch-bot@`, `cki-project-bot@`: a part of the local part that is the word.
const botWord = /(?:^|[._+-])(?:bot|robot|buildbot|autobuilder|ci-bot)(?:[._+-]|@|$)/;

function botName(address: string): string | undefined {
  const lower = address.toLowerCase();
  const known = knownBots.find(([pattern]) => pattern.test(lower))?.[1];
  if (known !== undefined) return known;
  return botWord.test(lower.slice(0, lower.indexOf('@') + 1)) ? address : undefined;
}

/** MAILER-DAEMON, postmaster, list robots and no-reply addresses. */
function isMailSystem(address: string): boolean {
  const local = address.slice(0, address.lastIndexOf('@')).toLowerCase();
  if (
    /^(?:mailer-daemon|postmaster|mail-daemon|majordomo|mailman|listserv|bugzilla-daemon|no-?reply|do-?not-?reply)$/.test(
      local,
    )
  )
    return true;
  return (
    /-(?:bounces|request|owner|confirm|subscribe|unsubscribe)$/.test(local) ||
    /^owner-/.test(local) ||
    /\+(?:bounces|owner|help)\b/.test(local)
  );
}

function own(message: Message): Robot | undefined {
  const field = message.headers.find(({ name }) => name.startsWith('x-reveille-'));
  return field && { kind: 'bot', reason: `our own mail: ${field.name}` };
}

function bounce(message: Message): Robot | undefined {
  const type = header(message, 'content-type');
  if (/^multipart\/report\b/i.test(type))
    return { kind: 'notification', reason: 'a delivery report (multipart/report)' };
  if (header(message, 'return-path') === '<>') return { kind: 'notification', reason: 'an empty return path' };
  if (has(message, 'x-failed-recipients')) return { kind: 'notification', reason: 'a bounce (X-Failed-Recipients)' };
  const local = (message.from?.address ?? '').toLowerCase().split('@')[0] ?? '';
  if (local === 'mailer-daemon' || local === 'postmaster') return { kind: 'notification', reason: `from ${local}` };
  return undefined;
}

function knownBot(message: Message): Robot | undefined {
  for (const address of [message.from?.address, message.sender?.address]) {
    const name = address === undefined ? undefined : botName(address);
    if (name === 'tip-bot') return { kind: 'notification', reason: 'a commit notification by tip-bot' };
    if (name !== undefined) return { kind: 'bot', reason: `sent by ${name}` };
  }
  if (has(message, 'x-patchwork-bot') || has(message, 'x-lkp-submit'))
    return { kind: 'bot', reason: 'a bot says so in its header' };
  return undefined;
}

function stable(message: Message): Robot | undefined {
  const words = bracketWords(message.subject);
  if (words.some((word) => /^autosel/i.test(word)))
    return { kind: 'stable', reason: 'AUTOSEL: chosen by machine for stable' };
  if (has(message, 'x-stable')) return { kind: 'stable', reason: 'stable review (X-stable)' };
  if (has(message, 'x-kerneltest-tree')) return { kind: 'stable', reason: 'stable review (X-KernelTest-Tree)' };
  const branch = words.find(
    (word) => /^v?\d\.\d{1,3}(?:\.[yx]|-stable)$/i.test(word) || /^stable(?:$|[-/:])/i.test(word),
  );
  if (branch !== undefined) return { kind: 'stable', reason: `for the stable branch ${branch}` };
  const bare = words.find((word) => /^\d\.\d{1,3}$/.test(word));
  if (bare !== undefined && writesToStable(message)) return { kind: 'stable', reason: `for stable ${bare}` };
  if (/^Patch "[^"]*" has been added to the .*-stable tree/.test(message.subject))
    return { kind: 'stable', reason: 'added to a stable tree' };
  if (/^FAILED: patch /.test(message.subject))
    return { kind: 'stable', reason: 'a patch that did not apply to stable' };
  return undefined;
}

function writesToStable(message: Message): boolean {
  return [...message.to, ...message.cc].some(({ address }) => /^stable(?:-commits|-review)?@/i.test(address));
}

function commit(message: Message): Robot | undefined {
  if (/^\[tip: [^\]]*\]/.test(message.subject)) return { kind: 'notification', reason: 'a commit notification of tip' };
  if (has(message, 'x-git-refname') || has(message, 'x-git-newrev'))
    return { kind: 'notification', reason: 'a commit notification (X-Git-Refname)' };
  if (/^(?:\+|-) \S+\.patch (?:added to|removed from) /.test(message.subject))
    return { kind: 'notification', reason: 'an -mm notification' };
  if (/^\[(?:folded-)?merged[^\]]*\] \S+\.patch removed from -mm/.test(message.subject))
    return { kind: 'notification', reason: 'an -mm notification' };
  if (/^\[git:[^\]]*\]/.test(message.subject)) return { kind: 'notification', reason: 'a commit notification' };
  return undefined;
}

function tracker(message: Message): Robot | undefined {
  if (message.headers.some(({ name }) => name.startsWith('x-bugzilla-')))
    return { kind: 'notification', reason: 'a bug tracker (X-Bugzilla)' };
  const forge = message.headers.find(({ name }) => name.startsWith('x-github-') || name.startsWith('x-gitlab-'));
  if (forge !== undefined) return { kind: 'notification', reason: `a code forge (${forge.name})` };
  if (has(message, 'x-list-administrivia')) return { kind: 'notification', reason: 'a list robot' };
  const from = message.from?.address;
  if (from !== undefined && isMailSystem(from))
    return { kind: 'notification', reason: `sent by a mail system: ${from}` };
  return undefined;
}

/** RFC 3834. Precedence is no sign: every list sets it. */
function automatic(message: Message): Robot | undefined {
  const submitted = header(message, 'auto-submitted').toLowerCase();
  if (submitted !== '' && !/^no\b/.test(submitted))
    return { kind: 'notification', reason: `Auto-Submitted: ${submitted.slice(0, 40)}` };
  for (const name of ['x-autoreply', 'x-autorespond', 'x-auto-response-suppress']) {
    if (
      has(message, name) &&
      !(name === 'x-auto-response-suppress' && message.lists.length > 0) &&
      name !== 'x-auto-response-suppress'
    ) {
      return { kind: 'notification', reason: `an automatic answer (${name})` };
    }
  }
  if (header(message, 'precedence').toLowerCase() === 'auto_reply')
    return { kind: 'notification', reason: 'an automatic answer (Precedence)' };
  return undefined;
}

/** Bots that write from a person's address say what they are in their first lines. */
function bySignature(message: Message): Robot | undefined {
  const top = message.text.slice(0, 600);
  if (
    /^This is (?:the|a|an) (?:friendly |automated |semi-friendly )*(?:patch-bot|email bot|bot|mail from a bot)\b/im.test(
      top,
    )
  ) {
    return { kind: 'bot', reason: 'says that it is a bot' };
  }
  const name = message.from?.name ?? '';
  return /\b(?:ro)?bot$/i.test(name) ? { kind: 'bot', reason: `the sender's name: ${name}` } : undefined;
}

function has(message: Message, name: string): boolean {
  return message.headers.some((field) => field.name === name);
}

function header(message: Message, name: string): string {
  return valuesOf(message.headers, name)[0] ?? '';
}
