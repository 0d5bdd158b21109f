export type { CheckpatchSaid } from './checkpatch-said.js';
export { reviewToJson } from './review-json.js';
export { plainPaint, reviewToText, verdictLine, type Paint, type TextOptions } from './review-text.js';
export { summarise, type SummaryInput, type SummaryPosting } from './summarise.js';
export { summaryToJson } from './summary-json.js';
export { summaryToText } from './summary-text.js';
export { silenceWords } from './summary-words.js';
export {
  isEmptySummary,
  type Activity,
  type ActivityMute,
  type ActivityRow,
  type Summary,
  type SummaryAnswers,
  type SummaryPeriod,
  type SummaryState,
  type TreeMaintainer,
  type WrongMark,
} from './summary.js';
