export { Findings, type Finding, type Verdict } from './check/finding.js';
export type { Evidence, LogResult } from './check/log-check.js';
export { erasuresIn, type GivenErasure } from './check/statements.js';
export { Verification } from './check/verification.js';
export { canonicalJson } from './readers/canonical-json.js';
export { ERASURE_EVENT } from './check/sealed-event.js';
export { commitmentOf, leafData, SALT_BYTES, type EventLeaf } from './event/leaf.js';
export { cannotRead, nameOf, readLines, STANDARD_INPUT, type ReadFile } from './files/export-file.js';
export { fetchFile } from './files/fetch-file.js';
export { keyError, readKeys } from './files/log-files.js';
export {
  CheckpointError,
  checkpointText,
  logKey,
  openCheckpoint,
  parseCheckpoint,
  type Checkpoint,
  type CheckpointFault,
} from './log/checkpoint.js';
export { cosignaturesOf, type Cosignature } from './log/cosignature.js';
export { erasureText, notesIn, openErasure, parseErasure, type ErasureRecord } from './log/erasure-record.js';
export { EMPTY_ROOT, hashLeaf, hashNode, rootOf, sameHash } from './log/merkle.js';
export { isSignedBy, noteKey, parseCosigner, parseVkey, vkeyOf, type NoteKey } from './log/note-key.js';
export { formatNote, noteSignature, parseNote, type Note, type NoteSignature } from './log/note.js';
export {
  consistencyRanges,
  inclusionRanges,
  isConsistent,
  rootOfInclusion,
  type LeafRange,
  type TreeHead,
} from './log/proofs.js';
export { HASH_BYTES } from './log/sha256.js';
export { TiledTree, type Tile } from './log/tiled-tree.js';
export {
  parseTilePath,
  rangeHash,
  TILE_WIDTH,
  tileOf,
  tilePath,
  tilesOf,
  type TileAddress,
  type TileReader,
} from './log/tiles.js';
export { eventsOfLine, type ExportedEvent } from './readers/event-line.js';
export { formatLogProof, parseLogProof, type LogProof } from './log/tlog-proof.js';
