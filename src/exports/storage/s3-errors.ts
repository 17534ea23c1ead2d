import { storable } from '../../bounds/storable.js';
import { StorageError } from './export-storage.js';

/** Codes of stores that have no space for the file: of S3 itself, of MinIO and of Ceph. */
const full: readonly string[] = ['EntityTooLarge', 'XMinioStorageFull', 'QuotaExceeded'];

/** https://www.rfc-editor.org/rfc/rfc4918#section-11.5 */
const INSUFFICIENT_STORAGE = 507;

/**
 * Returns what the client threw as an error of the storage: its message has the code of S3, and no address.
 * @param signal when it has aborted, its reason is the result
 */
export function s3Error(error: unknown, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  const status = statusOf(error);
  const code = error instanceof Error ? storable(error.name, 100) : 'unknown';
  if (full.includes(code) || status === INSUFFICIENT_STORAGE)
    return new StorageError('storage_full', `The bucket of the exports has no space for the file (${code}).`, error);
  if (status !== undefined && status >= 400 && status < 500 && status !== 408 && status !== 429)
    return new StorageError('storage_refused', `The bucket of the exports refuses the file (${code}).`, error);
  return new StorageError('storage_unavailable', `The bucket of the exports cannot be reached (${code}).`, error);
}

/** Whether there is no such object. */
export function isMissing(error: unknown): boolean {
  return statusOf(error) === 404 && !(error instanceof Error && error.name === 'NoSuchBucket');
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('$metadata' in error)) return undefined;
  const { $metadata: metadata } = error;
  if (typeof metadata !== 'object' || metadata === null || !('httpStatusCode' in metadata)) return undefined;
  return typeof metadata.httpStatusCode === 'number' ? metadata.httpStatusCode : undefined;
}
