import { Controller, Get, Inject, Param, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import { boundedString } from '../bounds/bounded.js';
import { QueryParameters } from '../http/input/query-parameters.js';
import { Documented } from '../http/openapi/documented.js';
import { Operation } from '../http/openapi/operation.js';
import { Context, type RequestContext } from '../http/request/request-context.js';
import { LogReader } from './log-reader.js';

const TAG = 'proof';
const TEXT = 'text/plain; charset=utf-8';
const BYTES = 'application/octet-stream';

const proofQuery = z.strictObject({
  destination: boundedString(64)
    .optional()
    .meta({ description: 'The event destination. Absent: the first one whose log has the event.' }),
});

const checkpointQuery = z.strictObject({
  cosigned: z.enum(['true', 'false']).optional().meta({
    description:
      '`true`: the newest checkpoint with a cosignature. Else the newest one, which has none in its first seconds.',
  }),
});

/** Logs of destinations, which prove what was delivered. */
@Controller()
export class ProofController {
  constructor(@Inject(LogReader) private readonly logs: LogReader) {}

  @Get('.well-known/waybill-log-keys')
  @Operation({
    id: 'listLogKeys',
    access: 'public',
    summary: 'List the verifier keys of the logs',
    description: 'One verifier key (c2sp.org/signed-note) a line, newest first: every key that has ever signed.',
    tagDescription: 'Signed logs of the events of each destination, in the formats of C2SP.',
    tag: TAG,
    files: [TEXT],
  })
  async keys(@Res({ passthrough: true }) reply: FastifyReply): Promise<string> {
    reply.type(TEXT);
    return this.logs.verifierKeys();
  }

  @Get('event_destinations/:id/log/:epoch/checkpoint')
  @Operation({
    id: 'getLogCheckpoint',
    access: 'read',
    linked: true,
    summary: 'Get the newest checkpoint of a log',
    description:
      'A signed note (c2sp.org/tlog-checkpoint): origin, size and root of the log of an event destination in an epoch. The log of a deleted destination remains.',
    tag: TAG,
    files: [TEXT],
  })
  async checkpoint(
    @Context() { accountId }: RequestContext,
    @Param('id') id: string,
    @Param('epoch') epoch: string,
    @QueryParameters(checkpointQuery) { cosigned }: z.infer<typeof checkpointQuery>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    reply.type(TEXT);
    return this.logs.checkpoint(accountId, id, epoch, cosigned === 'true');
  }

  @Get('event_destinations/:id/log/:epoch/tile/*')
  @Operation({
    id: 'getLogTile',
    access: 'read',
    linked: true,
    summary: 'Get a tile of a log',
    description:
      'Hashes of the log, 32 bytes each. `path` is that of c2sp.org/tlog-tiles, slashes included: `<level>/<index>`, with `.p/<width>` for a tile that is not full.',
    tag: TAG,
    files: [BYTES],
  })
  @Documented(({ ApiParam }) =>
    // Decorators of a method are applied from the last one on.
    ['path', 'epoch', 'id'].map((name) => ApiParam({ name, required: true, schema: { type: 'string' } })),
  )
  async tile(
    @Context() { accountId }: RequestContext,
    @Param() { id = '', epoch = '', '*': path = '' }: Readonly<Record<string, string>>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Buffer> {
    reply.type(BYTES);
    return this.logs.tile(accountId, id, epoch, path);
  }

  @Get('events/:id/proof')
  @Operation({
    id: 'getEventProof',
    access: 'read',
    linked: true,
    summary: 'Get the proof of an event',
    description:
      'Proof (c2sp.org/tlog-proof) that the log of an event destination has the event, with the newest checkpoint. It is verified without Waybill, with the event as it was delivered and a verifier key.',
    tag: TAG,
    files: [TEXT],
  })
  async proof(
    @Context() { accountId, link }: RequestContext,
    @Param('id') id: string,
    @QueryParameters(proofQuery) { destination }: z.infer<typeof proofQuery>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<string> {
    reply.type(TEXT);
    return this.logs.proof(accountId, id, link?.destinationId ?? destination);
  }
}
