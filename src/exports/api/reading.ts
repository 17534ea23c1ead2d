import type { RequestContext } from '../../http/request/request-context.js';

/** What is told about the reading of a file. */
export interface ReadingObserver {
  /** Called when the first part is read: a HEAD, and a client that has the file, read none. */
  readonly begun: () => void;
  /**
   * Called when the reading ends.
   * @param bytes what was handed over to the response
   * @param outcome `interrupted`: the client or the storage ended it early
   */
  readonly ended: (bytes: number, outcome: 'complete' | 'interrupted') => void;
}

/** Returns the content of a file, and tells when its reading begins and ends. */
export async function* observed<Chunk extends Uint8Array | string>(
  content: AsyncIterable<Chunk>,
  { begun, ended }: ReadingObserver,
): AsyncIterable<Chunk> {
  begun();
  let bytes = 0;
  let outcome: 'complete' | 'interrupted' = 'interrupted';
  try {
    for await (const chunk of content) {
      bytes += Buffer.byteLength(chunk);
      yield chunk;
    }
    outcome = 'complete';
  } finally {
    ended(bytes, outcome);
  }
}

/** Returns who made a request, as log lines and exports have it. */
export function whoDid({ accountId, principal, credential, operationId }: RequestContext) {
  return {
    account_id: accountId,
    principal_id: principal.id,
    credential_id: credential?.id ?? null,
    operation_id: operationId,
  };
}
