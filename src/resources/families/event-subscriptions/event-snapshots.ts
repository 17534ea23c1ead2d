import { z } from 'zod';
import type { EventSnapshot, EventSnapshotStore } from '../../../events/fan-out/event-snapshot-store.js';
import type { RequestContext } from '../../../http/request/request-context.js';
import { ref } from '../../framework/definition/fields.js';
import { uriOf } from '../../framework/definition/links.js';
import type { ResourceService } from '../../framework/service/resource-service.js';
import { eventDestination } from '../event-destinations/event-destination.js';

/** Prefix of the ids of snapshots. */
export const SNAPSHOT_PREFIX = 'snp';

/** A snapshot in a response. */
export const eventSnapshot = z
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

/** A snapshot in a response. */
export type EventSnapshotResponse = z.infer<typeof eventSnapshot>;

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

/** Reads the snapshots of subscriptions. */
export class EventSnapshots {
  constructor(
    private readonly subscriptions: ResourceService,
    private readonly snapshots: EventSnapshotStore,
  ) {}

  /** Returns a page of the snapshots of a subscription, newest first. @throws Problem `not_found` */
  async list(
    context: RequestContext,
    subscriptionId: string,
    page: { limit: number; beforeId: string | undefined },
  ): Promise<readonly EventSnapshotResponse[]> {
    await this.subscriptions.attributes(context, subscriptionId);
    const found = await this.snapshots.page(subscriptionId, page);
    return found.map((snapshot) => toResponse(snapshot, context.baseUrl));
  }
}
