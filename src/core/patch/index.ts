export { assembleSeries } from './assemble-series.js';
export { headOf, type PatchHead } from './head.js';
export { parsePatches, type ParsedPatches } from './parse-patches.js';
export type { Hunk, HunkLine, Patch, PatchFile, Prose, Trailer } from './patch.js';
export { renderPatch } from './render-patch.js';
export type { ReplaceEvidence, Series } from './series.js';
export { parseSubject, type Subject } from './subject.js';
