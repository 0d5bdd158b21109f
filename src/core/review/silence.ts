import type { SilentReason, WorthReason } from './verdict.js';

/** Every reason for saying nothing, with its meaning in one line. The list is closed: no silence without one of these. */
export const silenceReasons = {
  'no-policy': 'there is no policy, or it is broken',
  'kill-file': 'the kill file is there: everything is stopped',
  'list-not-named': 'it did not come through a list that the policy names',
  'list-off': 'the policy names the list and sends nothing to it',
  'not-a-patch': 'it is no patch',
  'no-message-id': 'it has no message-id that an answer could name',
  'own-mail': 'it is our own mail',
  bot: 'it was written by a robot',
  'auto-reply': 'it is an automatic reply',
  bounce: 'it is a bounce or a delivery report',
  notification: 'it is a notification of a commit, a list or a tracker',
  stable: 'it is a backport to a stable tree',
  'counter-patch': 'it is a patch inside a discussion',
  'pull-request': 'it is a pull request',
  'patchwork-ignore': 'its sender asks tools to ignore it (X-Patchwork-Hint)',
  'ignored-sender': 'the policy ignores its sender',
  'before-first-start': 'it came before the first start',
  'too-old': 'it is older than 24 hours',
  'newer-version': 'a newer version has come',
  applied: 'somebody wrote that it was applied or queued',
  rejected: 'somebody rejected it (NAK)',
  'author-muted': 'its author asked for no more mail',
  'series-muted': 'somebody asked for no more mail on this series',
  'list-muted': 'the list asked for no more mail',
  'path-filtered': 'the policy wants no mail about these files',
  'subsystem-filtered': 'the policy wants no mail about this subsystem',
  'nothing-to-say': 'no wait, claim or measurement in it deserves a mail',
  'reason-filtered': 'the policy wants no mail for this reason',
  'rule-muted': 'what there is to say comes from rules that are muted or off',
  'said-before': 'all of it was said on an earlier version',
  'said-by-someone': 'somebody else has said it in the thread',
  'series-answered': 'the series has had its answer',
  'cap-day': 'the cap for the day is reached',
  'cap-author': 'the cap for this author is reached',
  quarantined: 'it could not be read',
  'operator-rejected': 'the operator rejected the reply',
} as const satisfies Readonly<Record<string, string>>;

export type SilenceReason = keyof typeof silenceReasons;

/** Why a decision is put off: it comes again at the time given with it. */
export type LaterReason = 'settle' | 'embargo' | 'cap-hour';

/** Why a reply waits for the operator. */
export type HeldReason = 'first-twenty' | 'approval';

/** Why the content of a mail deserves an answer, with its meaning in one line. */
export const worthReasons = {
  'boot-path-change': 'a wait on the way of a boot, probe, reset or resume changes by enough to matter',
  risk: 'a rule about waits found something that breaks or wastes: an overflow, a slipped unit, a sleep in an atomic context',
  'claim-does-not-follow': 'the numbers in the mail do not follow from its logs or its diff',
  'measurement-missed-wait': 'what was measured did not go through the wait that is changed',
  'many-devices-cost': 'with many devices the change costs more than it saves',
} as const satisfies Readonly<Record<WorthReason, string>>;

/** Why the content of a mail deserves none, with its meaning in one line. */
export const silentReasons = {
  'no-wait-changed': 'no wait is changed',
  'nits-only': 'there are remarks on form only, and they cause no mail',
  'runtime-only': 'it acts at run time only',
  'small-effect': 'the effect is small',
  'unknown-effect': 'the effect cannot be told',
  'added-in-new-code': 'the waits are in new code',
  'not-for-us': 'it is a robot’s, a backport or a notification',
  'not-a-patch': 'it is no patch',
  'answered-elsewhere-in-series': 'another patch of the series has the answer',
} as const satisfies Readonly<Record<SilentReason, string>>;
