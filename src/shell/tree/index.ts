export { openTree, type KernelTree, type TreeOptions } from './kernel-tree.js';
export {
  cleanMail,
  runCheckpatch,
  type CheckpatchMessage,
  type CheckpatchOptions,
  type CheckpatchOutcome,
  type CheckpatchReason,
} from './checkpatch.js';
