export {
  findApi,
  type Api,
  type ApiKind,
  type ApiReading,
  type ArgumentUnit,
  type Catalogue,
  type Flavour,
} from './catalogue.js';
export type {
  Backoff,
  Bound,
  CodePath,
  DelayChange,
  Judged,
  Question,
  Resolved,
  Role,
  Sibling,
  Use,
  Wait,
  WaitKind,
} from './change.js';
export { findChanges, type DelayKit } from './find.js';
export { flavourOf, languageOf, type Language } from './flavour.js';
export { readCall } from './read-call.js';
export { askedOf, resolveChanges, resolveWait, type Asked, type TreeAnswer } from './resolve.js';
export { unitInSource, waitsOfSource, type SourceWait } from './source.js';
