import { archiveLinkNotLore } from './archive-link-not-lore.js';
import { authorSignOffMismatch } from './author-sign-off-mismatch.js';
import { backoffWrapMended } from './backoff-wrap-mended.js';
import { backoffWraps } from './backoff-wraps.js';
import { badFixesTag } from './bad-fixes-tag.js';
import { badSignature } from './bad-signature.js';
import { badStableAddress } from './bad-stable-address.js';
import { bindingWithCode } from './binding-with-code.js';
import { budgetWithInterval } from './budget-with-interval.js';
import { claimDoesNotFollow } from './claim-does-not-follow.js';
import { commitLogLineLength } from './commit-log-line-length.js';
import { commitReferenceForm } from './commit-reference-form.js';
import { damagedPatch } from './damaged-patch.js';
import { deadlineWithoutLastLook } from './deadline-without-last-look.js';
import { delayWithoutReason } from './delay-without-reason.js';
import { diffInLog } from './diff-in-log.js';
import { dosLineEnd } from './dos-line-end.js';
import { doubleBlankLine } from './double-blank-line.js';
import { emptyCommitMessage } from './empty-commit-message.js';
import { executableSource } from './executable-source.js';
import { gerritChangeId } from './gerrit-change-id.js';
import { hashAtLineStart } from './hash-at-line-start.js';
import { includeAsm } from './include-asm.js';
import { jiffiesComparison } from './jiffies-comparison.js';
import { leadingSpace } from './leading-space.js';
import { linkWithoutUrl } from './link-without-url.js';
import { longBusyWait } from './long-busy-wait.js';
import { longCommentLine } from './long-comment-line.js';
import { longLine } from './long-line.js';
import { longStringLine } from './long-string-line.js';
import { longUdelay } from './long-udelay.js';
import { messageDiffersFromDiff } from './message-differs-from-diff.js';
import { missingAuthorSignOff } from './missing-author-sign-off.js';
import { missingCoverLetter } from './missing-cover-letter.js';
import { missingFixesTag } from './missing-fixes-tag.js';
import { missingNewlineAtEnd } from './missing-newline-at-end.js';
import { missingSignOff } from './missing-sign-off.js';
import { msleepUnder20ms } from './msleep-under-20ms.js';
import { noBlankAfterDeclarations } from './no-blank-after-declarations.js';
import { noBlankAfterFunction } from './no-blank-after-function.js';
import { offTabstop } from './off-tabstop.js';
import { ownFileName } from './own-file-name.js';
import { placeholderText } from './placeholder-text.js';
import { repeatedWord } from './repeated-word.js';
import { replacedCallLeft } from './replaced-call-left.js';
import { reportedByWithoutLink } from './reported-by-without-link.js';
import { separatorWithTail } from './separator-with-tail.js';
import { settleShortened } from './settle-shortened.js';
import { sleepInAtomic } from './sleep-in-atomic.js';
import { spaceBeforeTab } from './space-before-tab.js';
import { spaceIndent } from './space-indent.js';
import { subjectLength } from './subject-length.js';
import { subjectPrefix } from './subject-prefix.js';
import { subjectNamesTool } from './subject-names-tool.js';
import { subjectTrailingPeriod } from './subject-trailing-period.js';
import { trailingWhitespace } from './trailing-whitespace.js';
import { udelayLongEnoughToSleep } from './udelay-long-enough-to-sleep.js';
import { undeclaredUtf8 } from './undeclared-utf8.js';
import { unitSlip } from './unit-slip.js';
import { unknownLinkTag } from './unknown-link-tag.js';
import { usleepRangeReversed } from './usleep-range-reversed.js';
import { usleepRangeTooNarrow } from './usleep-range-too-narrow.js';
import { usleepRangeUnder10us } from './usleep-range-under-10us.js';
import { usleepRangeWithoutRange } from './usleep-range-without-range.js';
import { versionLinkInLog } from './version-link-in-log.js';
import { versionWithoutChangelog } from './version-without-changelog.js';
import type { Rule } from './finding.js';

/** Every rule, the most useful first: the order of findings and of what is picked from them. */
export const rules: readonly Rule[] = [
  sleepInAtomic,
  backoffWraps,
  backoffWrapMended,
  unitSlip,
  budgetWithInterval,
  replacedCallLeft,
  messageDiffersFromDiff,
  claimDoesNotFollow,
  settleShortened,
  deadlineWithoutLastLook,
  longBusyWait,
  subjectLength,
  subjectPrefix,
  missingSignOff,
  usleepRangeReversed,
  usleepRangeWithoutRange,
  usleepRangeTooNarrow,
  usleepRangeUnder10us,
  jiffiesComparison,
  longUdelay,
  badFixesTag,
  damagedPatch,
  placeholderText,
  gerritChangeId,
  diffInLog,
  includeAsm,
  commitLogLineLength,
  subjectTrailingPeriod,
  delayWithoutReason,
  versionWithoutChangelog,
  missingCoverLetter,
  missingAuthorSignOff,
  authorSignOffMismatch,
  badSignature,
  badStableAddress,
  reportedByWithoutLink,
  missingFixesTag,
  commitReferenceForm,
  unknownLinkTag,
  versionLinkInLog,
  linkWithoutUrl,
  archiveLinkNotLore,
  separatorWithTail,
  hashAtLineStart,
  repeatedWord,
  undeclaredUtf8,
  emptyCommitMessage,
  subjectNamesTool,
  bindingWithCode,
  trailingWhitespace,
  dosLineEnd,
  spaceIndent,
  leadingSpace,
  spaceBeforeTab,
  offTabstop,
  longLine,
  longCommentLine,
  longStringLine,
  noBlankAfterDeclarations,
  doubleBlankLine,
  noBlankAfterFunction,
  missingNewlineAtEnd,
  executableSource,
  ownFileName,
  udelayLongEnoughToSleep,
  msleepUnder20ms,
];
