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
