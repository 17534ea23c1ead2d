import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../problems/problem.js';
import type { Turn } from '../../timing/turns.js';
import { byteRangeOf, type ByteRange } from './byte-range.js';
import { matchesEtag } from './etag.js';

/** A response that is a file, read while it is sent. */
export interface FileResponse {
  /** Name under which a client saves it: letters, digits, `_`, `-` and dots. */
  readonly name: string;
  readonly mediaType: string;
  /** Read from the first iteration on: a HEAD, and a client that has the file, opens nothing. */
  readonly content: AsyncIterable<Uint8Array | string>;
  readonly headers: Readonly<Record<string, string>>;
  /** A file that does not change, of which a client can get a part; absent for one that is made for the response. */
  readonly stored?: StoredFile;
}

/** A file that does not change. */
export interface StoredFile {
  readonly bytes: number;
  /** With its quotes. */
  readonly etag: string;
  /** Reads a part of it from the first iteration on. */
  readonly part: (range: ByteRange) => AsyncIterable<Uint8Array>;
}

/**
 * Sets status and headers of a file, or of the part of it that the request names, and returns its content for the
 * response. A failure while the file is read ends the connection, so that no client takes a part for the whole.
 * @throws Problem `range_not_satisfiable`
 */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: FileResponse): Readable {
  const { stored } = file;
  const range = stored ? requestedRange(request, reply, stored) : null;
  reply.headers({
    ...file.headers,
    ...(stored && { etag: stored.etag, 'accept-ranges': 'bytes', 'content-length': String(stored.bytes) }),
    'content-type': file.mediaType,
    'content-disposition': `attachment; filename="${file.name}"`,
  });
  if (stored && range) {
    reply.code(206).headers({
      'content-range': `bytes ${range.first}-${range.last}/${stored.bytes}`,
      'content-length': String(range.last - range.first + 1),
    });
    return Readable.from(stored.part(range));
  }
  if (request.method === 'HEAD') return Readable.from([]);
  const { turn } = request.state;
  return Readable.from(stored || !turn ? file.content : inTurns(file.content, turn));
}

/** Makes each part of a file in a turn of the request, which it gives back while the client reads. */
async function* inTurns(content: FileResponse['content'], turn: Turn): FileResponse['content'] {
  const parts = content[Symbol.asyncIterator]();
  try {
    for (;;) {
      await turn.again();
      const part = await parts.next().finally(() => turn.rest());
      if (part.done) return;
      yield part.value;
    }
  } finally {
    await parts.return?.();
  }
}

/**
 * Returns the part of a file that a GET names; null for the whole. With If-Range, the client must have a part of this
 * file (RFC 9110, section 13.1.5); a client that has the file gets no part of it.
 * @throws Problem `range_not_satisfiable`
 */
function requestedRange(
  { method, headers }: FastifyRequest,
  reply: FastifyReply,
  { bytes, etag }: StoredFile,
): ByteRange | null {
  const { range: header, 'if-range': ifRange, 'if-none-match': ifNoneMatch } = headers;
  if (method !== 'GET' || header === undefined) return null;
  if (ifRange !== undefined && ifRange !== etag) return null;
  if (ifNoneMatch !== undefined && matchesEtag(ifNoneMatch, etag)) return null;
  const range = byteRangeOf(header, bytes);
  if (range !== 'unsatisfiable') return range;
  reply.header('content-range', `bytes */${bytes}`);
  throw new Problem('range_not_satisfiable', `The file has ${bytes} bytes.`);
}
