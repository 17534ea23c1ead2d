export { epochOf } from './sealed-event.js';
export { Findings, MOST_KEPT, type Finding } from './finding.js';
export type { Evidence, LogResult } from './log-check.js';
export { placeOf, verdicts } from './finding-words.js';
export { Verification } from './verification.js';
export { CheckpointError, openCheckpoint, type Checkpoint } from '../log/checkpoint.js';
export { parseVkey, vkeyOf } from '../log/note-key.js';
export { tilePath } from '../log/tiles.js';
