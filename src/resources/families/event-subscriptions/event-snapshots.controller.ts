import { Controller, Get, Inject, Param } from '@nestjs/common';
import { z } from 'zod';
import { DATABASE, type Database } from '../../../database/database.js';
import { EventSnapshotStore, type EventSnapshot } from '../../../events/fan-out/event-snapshot-store.js';
import { QueryParameters } from '../../../http/input/query-parameters.js';
import { Operation } from '../../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../../http/request/request-context.js';
import { page, pageParametersOf, pageSchema, type Page, type PageQuery } from '../../../http/response/pagination.js';
import { ref } from '../../framework/definition/fields.js';
import { uriOf } from '../../framework/definition/links.js';
import { serviceToken, type ResourceService } from '../../framework/service/resource-service.js';
import { eventDestination } from '../event-destinations/event-destination.js';
import { eventSubscription } from './event-subscription.js';

/** Prefix of the ids of snapshots. */
const SNAPSHOT_PREFIX = 'snp';

const eventSnapshot = z
  .object({
    id: z.string().meta({ description: 'Id of the snapshot.', example: 'snp_01kgxf4n8teq0v7m2b5rzd9h3s' }),
    type: z.string().meta({ description: 'Type of its events.', example: 'ip_policy_snapshot.v0' }),
    destinations: z.array(ref).meta({ description: 'Destinations that receive it.' }),
    state: z.enum(['running', 'finished']).meta({
      description: '`running`: resources are being written. `finished`: the events of all resources are recorded.',
    }),
    resources_passed: z.int().meta({
      description: 'Number of resources that are done: written, or written before their first change.',
    }),
    resources_total: z.int().nullable().meta({
      description: 'Number of resources when the snapshot began. Null before.',
    }),
    created_at: z.iso.datetime().meta({ description: 'When the snapshot was requested.' }),
    finished_at: z.iso.datetime().nullable().meta({ description: 'Null while the snapshot is running.' }),
  })
  .meta({ id: 'EventSnapshot', description: 'The progress of a snapshot: the present state of one family.' });

type EventSnapshotResponse = z.infer<typeof eventSnapshot>;

const listQuery = z.strictObject(pageParametersOf(SNAPSHOT_PREFIX));

/** The snapshots of one subscription. */
@Controller('/event_subscriptions/:subscription_id/snapshots')
export class EventSnapshotsController {
  private readonly snapshots: EventSnapshotStore;

  constructor(
    @Inject(serviceToken(eventSubscription)) private readonly subscriptions: ResourceService,
    @Inject(DATABASE) db: Database,
  ) {
    this.snapshots = new EventSnapshotStore(db);
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
    await this.subscriptions.attributes(context, id);
    const found = await this.snapshots.page(id, { limit: limit + 1, beforeId });
    const { baseUrl } = context;
    return page({
      items: found.map((snapshot) => toResponse(snapshot, baseUrl)),
      limit,
      listKey: 'snapshots',
      path: `/event_subscriptions/${id}/snapshots`,
      baseUrl,
    });
  }
}

function toResponse(snapshot: EventSnapshot, baseUrl: string): EventSnapshotResponse {
  return {
    id: snapshot.id,
    type: `${snapshot.kind}_snapshot.v0`,
    destinations: snapshot.destination_ids.map((id) => ({ id, uri: uriOf(eventDestination, id, baseUrl) })),
    state: snapshot.finished_at === null ? 'running' : 'finished',
    resources_passed: snapshot.passed,
    resources_total: snapshot.total,
    created_at: snapshot.created_at.toISOString(),
    finished_at: snapshot.finished_at?.toISOString() ?? null,
  };
}
