export { openMaintainers, parseMaintainers, type NamedMaintainer, type TreeNames } from './maintainers.js';
export { openConstants, type TreeConstants } from './constants.js';
export { openTree, type KernelTree, type TreeOptions } from './kernel-tree.js';
export {
  checkpatchIn,
  cleanMail,
  runCheckpatch,
  type CheckpatchMessage,
  type CheckpatchOptions,
  type CheckpatchOutcome,
  type CheckpatchReason,
} from './checkpatch.js';
