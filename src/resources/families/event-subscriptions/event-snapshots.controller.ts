import { Controller, Get, Inject, Param } from '@nestjs/common';
import { z } from 'zod';
import { DATABASE, type Database } from '../../../database/database.js';
import { EventSnapshotStore } from '../../../events/fan-out/event-snapshot-store.js';
import { QueryParameters } from '../../../http/input/query-parameters.js';
import { Operation } from '../../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../../http/request/request-context.js';
import {
  assertCursor,
  page,
  pageParametersOf,
  pageSchema,
  type Page,
  type PageQuery,
} from '../../../http/response/pagination.js';
import { idPattern } from '../../../ids/id.js';
import { serviceToken, type ResourceService } from '../../framework/service/resource-service.js';
import { EventSnapshots, eventSnapshot, SNAPSHOT_PREFIX } from './event-snapshots.js';
import { eventSubscription } from './event-subscription.js';

const listQuery = z.strictObject(pageParametersOf(idPattern(SNAPSHOT_PREFIX)));

/** The snapshots of one subscription. */
@Controller('/event_subscriptions/:subscription_id/snapshots')
export class EventSnapshotsController {
  private readonly snapshots: EventSnapshots;

  constructor(@Inject(serviceToken(eventSubscription)) subscriptions: ResourceService, @Inject(DATABASE) db: Database) {
    this.snapshots = new EventSnapshots(subscriptions, new EventSnapshotStore(db));
  }

  @Get()
  @Operation({
    id: 'listEventSnapshots',
    access: 'read',
    summary: 'List the snapshots of an event subscription',
    description:
      'A source `<resource>_snapshot.v0` asks for the present state. Each new route of such a source starts one snapshot: one event for each existing resource, with a lower `sequence` than the first change of the resource. Snapshots are written in the background. Finished snapshots are listed for `RETENTION_DELIVERED_DAYS`.',
    tag: 'event sources',
    response: pageSchema('snapshots', eventSnapshot),
  })
  async list(
    @Context() context: RequestContext,
    @Param('subscription_id') id: string,
    @QueryParameters(listQuery) { limit, before_id: beforeId }: PageQuery,
  ): Promise<Page> {
    assertCursor(SNAPSHOT_PREFIX, beforeId);
    const items = await this.snapshots.list(context, id, { limit: limit + 1, beforeId });
    const path = `/event_subscriptions/${id}/snapshots`;
    return page({ items, limit, listKey: 'snapshots', path, baseUrl: context.baseUrl });
  }
}
