import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A response that is a file, read while it is sent. */
export interface FileResponse {
  /** Name under which a client saves it: letters, digits, `_`, `-` and dots. */
  readonly name: string;
  readonly mediaType: string;
  /** Read from the first iteration on: a HEAD, and a client that has the file, opens nothing. */
  readonly content: AsyncIterable<Uint8Array | string>;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Sets the headers of a file, and returns its content for the response. A failure while the file is read ends the
 * connection, so that no client takes a part for the whole.
 */
export function sendFile(request: FastifyRequest, reply: FastifyReply, file: FileResponse): Readable {
  reply.headers({
    ...file.headers,
    'content-type': file.mediaType,
    'content-disposition': `attachment; filename="${file.name}"`,
  });
  return request.method === 'HEAD' ? Readable.from([]) : Readable.from(file.content);
}
