import type { Readable } from 'node:stream';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { QueryParameters } from '../../http/input/query-parameters.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import { sendFile } from '../../http/response/file-response.js';
import { fileTypes } from '../formats/export-format.js';
import { DirectExport, directExportQuery, MOST_DIRECT, type DirectExportQuery } from './direct-export.js';

/** The export of a few events, in one response. */
@Controller('/events/export')
export class DirectExportController {
  constructor(@Inject(DirectExport) private readonly direct: DirectExport) {}

  @Get()
  @Operation({
    id: 'exportEvents',
    access: 'export',
    summary: 'Export a few events in one response',
    description: `At most ${MOST_DIRECT} events, oldest first; the header \`Event-Count\` says how many. Where more match, the response is a 413 without any of them: create an export. The filters are those of the search.`,
    tag: 'events',
    files: fileTypes,
    costly: 'always',
    errors: ['too_many_events'],
  })
  async export(
    @Context() context: RequestContext,
    @QueryParameters(directExportQuery) query: DirectExportQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<Readable> {
    return sendFile(request, reply, await this.direct.open(context, query));
  }
}
