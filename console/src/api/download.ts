import { ConnectionError } from './problem.js';
import { open } from './request.js';

/** Bytes that are collected before they are handed to the browser, which may keep them on disk. */
const PART_BYTES = 8_388_608;

/**
 * Downloads a file with the session's cookie. A link could not: a request of the API has `Service-Version`.
 * @param onProgress called with the number of bytes that have arrived
 * @throws ProblemError for a refusal, ConnectionError when the connection fails, the reason of the signal
 */
export async function download(
  path: string,
  parameters: Readonly<Record<string, string>>,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<Blob> {
  const response = await open('GET', path, { path: parameters, signal }, '*/*');
  try {
    return await collected(response, onProgress);
  } catch (error) {
    if (signal.aborted) throw error;
    throw new ConnectionError('The connection broke before the file was complete.', { cause: error });
  }
}

async function collected(response: Response, onProgress: (bytes: number) => void): Promise<Blob> {
  const parts: Blob[] = [];
  let chunks: Uint8Array<ArrayBuffer>[] = [];
  let waiting = 0;
  let bytes = 0;
  const flush = (): void => {
    parts.push(new Blob(chunks));
    chunks = [];
    waiting = 0;
  };
  const reader = response.body?.getReader();
  for (;;) {
    const chunk = await reader?.read();
    if (chunk === undefined || chunk.done) break;
    chunks.push(chunk.value);
    waiting += chunk.value.byteLength;
    bytes += chunk.value.byteLength;
    if (waiting >= PART_BYTES) flush();
    onProgress(bytes);
  }
  flush();
  return new Blob(parts);
}

/** Time after which the address of a saved file is given back, in milliseconds: the browser has begun to write it. */
const SAVE_MS = 60_000;

/** Puts a file to the downloads of the browser. */
export function saveFile(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), SAVE_MS);
}
