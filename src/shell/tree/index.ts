export {
  cleanMail,
  runCheckpatch,
  type CheckpatchMessage,
  type CheckpatchOptions,
  type CheckpatchOutcome,
  type CheckpatchReason,
} from './checkpatch.js';
