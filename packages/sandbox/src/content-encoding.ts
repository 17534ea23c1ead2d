import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { header, type HttpRequest } from './protocol.js';

const gunzipAsync = promisify(gunzip);
const inflateAsync = promisify(inflate);
/** Limit of a decompressed body, far above the limits of the vendors. */
const MOST_BYTES = 64 * 1024 * 1024;

/** Decodes a body (gzip, deflate or none); undefined if that fails. */
export async function decodedBody(request: HttpRequest): Promise<Buffer | undefined> {
  try {
    switch (header(request, 'content-encoding') ?? 'identity') {
      case 'identity':
        return request.body;
      case 'gzip':
        return await gunzipAsync(request.body, { maxOutputLength: MOST_BYTES });
      case 'deflate':
        return await inflateAsync(request.body, { maxOutputLength: MOST_BYTES });
      default:
        return undefined;
    }
  } catch {
    return undefined;
  }
}
