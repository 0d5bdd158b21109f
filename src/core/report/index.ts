export type { CheckpatchSaid } from './checkpatch-said.js';
export { measurementToJson } from './measurement-json.js';
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
export { summaryToHtml } from './summary-html.js';
export { curvePicture } from './curve-picture.js';
export { markup, type Markup } from './markup.js';
export { factRow, page, table } from './page.js';
export { runsPicture } from './runs-picture.js';
export { timelinePicture } from './timeline-picture.js';
export { estimateToHtml } from './estimate-html.js';
export { reviewsToHtml } from './review-html.js';
export { dossierOf, type Dossier, type DossierReply } from './dossier.js';
export { dossierToHtml } from './dossier-html.js';
export { dossierToJson } from './dossier-json.js';
export { dossierToText } from './dossier-text.js';
export { reviewToB4, reviewToTerse, type B4Result } from './check-formats.js';
