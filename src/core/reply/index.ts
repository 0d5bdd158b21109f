export { composeBody } from './body.js';
export { renderReply, renderSeriesReply, type ReplyOptions } from './render.js';
export type { Reply } from './reply.js';
export { replyToMail } from './to-mail.js';
export { sayMeasured, sayPredicted } from './say.js';
export { wrap } from './wrap.js';
