export type { Address, Attachment, HeaderField, MailKind, Message, Problem } from './message.js';
