export { reviewToJson } from './review-json.js';
export { plainPaint, reviewToText, verdictLine, type Paint } from './review-text.js';
