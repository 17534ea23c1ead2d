import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import { LineSplitter } from '@waybill/verify/readers';
import type { DestinationExports, ExportRecord } from './export-record.js';
import { ended, type AwaitedExport, type WaitControl } from './export-wait.js';

/** How far an export of Waybill is. */
export type ExportProgress =
  | (AwaitedExport & { readonly total: null })
  /** `done` are bytes, of `total`. */
  | { readonly id: string; readonly step: 'downloading'; readonly done: number; readonly total: number };

/** An export of Waybill whose file is what its manifest says. */
export interface ExportFacts {
  readonly id: string;
  /** Events in it. */
  readonly events: number;
  readonly bytes: number;
  /** SHA-256 of the file, in hexadecimal digits. */
  readonly sha256: string;
  /** Since when the retention has removed nothing that would be in it, RFC 3339; null: it has removed nothing. */
  readonly complete_since: string | null;
}

/** What a read of an export needs. */
export interface ExportControl extends Omit<WaitControl, 'onWait'> {
  readonly onProgress?: (progress: ExportProgress) => void;
}

/**
 * Creates an export, waits for it, and reads its lines while they arrive. The file is not in memory.
 * @param onLine called with each line, before it is known whether the file is what the manifest says
 * @throws Error with the reason when it cannot be created, fails, makes no progress, or is not what its manifest says
 */
export async function readExport(
  exports: DestinationExports,
  onLine: (line: string) => void,
  control: ExportControl = {},
): Promise<ExportFacts> {
  const { id, manifest } = await written(exports, control);
  const { bytes: total, sha256: expected } = manifest.file;
  const hash = sha256.create();
  const decoder = new TextDecoder();
  let fault: unknown;
  // The lines of a file that is not what the manifest says may be anything.
  const lines = new LineSplitter(`The file of Waybill's export ${id}`, (line) => {
    if (fault === undefined) fault = faultOf(() => onLine(line));
  });
  const reader = (await exports.download(id)).getReader();
  let bytes = 0;
  for (;;) {
    const chunk = await reader.read();
    if (chunk.done) break;
    hash.update(chunk.value);
    bytes += chunk.value.byteLength;
    lines.push(decoder.decode(chunk.value, { stream: true }));
    control.onProgress?.({ id, step: 'downloading', done: bytes, total });
  }
  lines.push(decoder.decode());
  lines.end();
  const found = bytesToHex(hash.digest());
  if (bytes !== total || found !== expected)
    throw new Error(
      `The file of Waybill's export ${id} is not what its manifest says: ${bytes} bytes with the SHA-256 ${found} instead of ${total} bytes with ${expected}. It was changed in the storage or on the way, or the download broke.`,
    );
  if (fault !== undefined) throw fault;
  return { id, events: manifest.count, bytes, sha256: found, complete_since: manifest.complete_since };
}

/** Returns what an action throws; undefined if it succeeds. */
function faultOf(action: () => void): unknown {
  try {
    action();
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Returns an export that is complete. */
async function written(
  exports: DestinationExports,
  { onProgress, ...control }: ExportControl,
): Promise<ExportRecord & { readonly manifest: NonNullable<ExportRecord['manifest']> }> {
  const onWait = (awaited: AwaitedExport) => onProgress?.({ ...awaited, total: null });
  const one = await ended(exports, await exports.create(), { ...control, onWait });
  const { manifest } = one;
  if (one.state === 'completed' && manifest !== null) return { ...one, manifest };
  const why = one.error === null ? '' : ` (${one.error.code}): ${one.error.message}`;
  throw new Error(`Waybill's export ${one.id} is ${one.state}${why || '.'}`);
}
