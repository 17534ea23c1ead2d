import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { header, type Exchange } from './exchange.js';

const gunzipAsync = promisify(gunzip);
const inflateAsync = promisify(inflate);
/** Bodies that unpack to more than this are refused as unreadable: no intake takes nearly as much. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The body as its sender wrote it, without its content encoding (gzip, deflate or none); undefined where that fails. */
export async function decodedBody(exchange: Exchange): Promise<Buffer | undefined> {
  try {
    switch (header(exchange, 'content-encoding') ?? 'identity') {
      case 'identity':
        return exchange.body;
      case 'gzip':
        return await gunzipAsync(exchange.body, { maxOutputLength: MOST_BYTES });
      case 'deflate':
        return await inflateAsync(exchange.body, { maxOutputLength: MOST_BYTES });
      default:
        return undefined;
    }
  } catch {
    return undefined;
  }
}
