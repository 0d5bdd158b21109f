export { openSources, type OpenOptions } from './open-sources.js';
export type { MailSource, SourceMail } from './source-mail.js';
