import { Readable } from 'node:stream';
import { Controller, Get, Inject, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { laneStates } from '../../delivery/lanes/lane-state.js';
import { QueryParameters } from '../../http/input/query-parameters.js';
import { MAX_VALUES, repeatableParameter } from '../../http/input/repeatable-parameter.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import { page, pageParametersOf, pageSchema, type Page } from '../../http/response/pagination.js';
import { Sessions } from '../../http/sessions/sessions.js';
import { eventDestination } from '../../resources/families/event-destinations/event-destination.js';
import { destinationStatus, toStatusResponse } from './destination-status.js';
import { LaneViewStore } from './lane-view-store.js';
import { MOST_FOLLOWED } from './status-feed.js';
import { StatusStreams } from './status-streams.js';

/** Path of the list. No id of a destination is `status`: ids have a prefix. */
const PATH = `${eventDestination.path}/status`;

const listQuery = z.strictObject({
  ...pageParametersOf(eventDestination.prefix),
  state: repeatableParameter(z.enum(laneStates), MAX_VALUES, {
    description: 'Returns only destinations with this `status`.',
  }),
});

/** The status of all destinations. */
@Controller(PATH)
export class DestinationStatusesController {
  constructor(
    @Inject(LaneViewStore) private readonly lanes: LaneViewStore,
    @Inject(StatusStreams) private readonly streams: StatusStreams,
    @Inject(Sessions) private readonly sessions: Sessions,
  ) {}

  @Get()
  @Operation({
    id: 'listEventDestinationStatuses',
    access: 'read',
    summary: 'List the status of all event destinations',
    description:
      'To see what is wrong, list `state=misconfigured&state=retrying`. The status of a destination may change between two pages.',
    tag: eventDestination.title.many,
    response: pageSchema('statuses', destinationStatus),
  })
  async list(
    @Context() { accountId, baseUrl }: RequestContext,
    @QueryParameters(listQuery) { limit, before_id: beforeId, state }: z.infer<typeof listQuery>,
  ): Promise<Page> {
    const lanes = await this.lanes.list(accountId, { states: state ?? null, limit: limit + 1, beforeId });
    const items = lanes.map((lane) => toStatusResponse(lane, baseUrl));
    return page({ items, limit, listKey: 'statuses', path: PATH, baseUrl, query: { state } });
  }

  @Get('stream')
  @Operation({
    id: 'streamEventDestinationStatuses',
    access: 'read',
    summary: 'Follow the status of all event destinations',
    description: `Server-sent events. The first one is \`snapshot\`, with the list \`statuses\` of all destinations. Then \`changed\` has \`statuses\` that differ, about once per second, and \`removed\` has the \`ids\` of deleted destinations. A later \`snapshot\` replaces everything: a client that reads slowly gets one. Its items are those of \`GET /event_destinations/status\`, of the newest ${MOST_FOLLOWED} destinations. A comment every 3 seconds keeps the connection open, and shows that the process runs. The stream ends with the session or the key, and when the process stops: connect again.`,
    tag: eventDestination.title.many,
    files: ['text/event-stream'],
  })
  stream(
    @Context() { accountId, credential, baseUrl }: RequestContext,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Readable {
    reply.headers({ 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
    if (request.method === 'HEAD') return Readable.from([]);
    const isCurrent = () => this.sessions.isCurrent(request);
    return this.streams.open({ accountId, keyId: credential?.id ?? '', baseUrl, isCurrent });
  }
}
