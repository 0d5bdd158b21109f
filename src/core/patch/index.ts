export type { Hunk, HunkLine, Patch, PatchFile, Prose, Trailer } from './patch.js';
export type { ReplaceEvidence, Series } from './series.js';
