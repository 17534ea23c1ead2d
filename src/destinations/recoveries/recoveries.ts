import { z } from 'zod';
import { boundedTime } from '../../bounds/bounded.js';
import type { Database, Transaction } from '../../database/database.js';
import type { Dispatcher } from '../../delivery/dispatch/dispatcher.js';
import {
  recoveryEndedEvent,
  recoveryStartedEvent,
  type RecoveryEventType,
} from '../../events/catalogue/recovery-events.js';
import type { EventRecorder } from '../../events/fan-out/event-recorder.js';
import { refuseReversed } from '../../events/log/event-filter.js';
import type { RequestContext } from '../../http/request/request-context.js';
import { page, type Page, type PageQuery } from '../../http/response/pagination.js';
import { notFound, Problem } from '../../problems/problem.js';
import { eventDestination } from '../../resources/families/event-destinations/event-destination.js';
import { idList } from '../../resources/framework/definition/fields.js';
import { undeliveredStates } from '../deliveries/view/delivery-view.js';
import type { Recovery, RecoveryStore } from './recovery-store.js';

/** Path of the recoveries. No id of a destination is `recoveries`: ids have a prefix. */
export const RECOVERIES_PATH = `${eventDestination.path}/recoveries`;

/** Most destinations of a request. */
const MOST_DESTINATIONS = 1_000;

/** A request to redeliver what several destinations did not receive. */
export const recoveryRequest = z
  .strictObject({
    from: boundedTime.meta({
      description: 'Only events that were recorded, or queued by a backfill, at or after this time.',
    }),
    to: boundedTime.optional().meta({
      description: 'Only events that were recorded, or queued by a backfill, before this time. Default: now.',
    }),
    states: z
      .array(z.enum(undeliveredStates))
      .max(undeliveredStates.length)
      .min(1)
      .refine((states) => new Set(states).size === states.length, { error: 'must not name the same state twice' })
      .default([...undeliveredStates])
      .meta({ description: 'States of the deliveries. Default: both.' }),
    destination_ids: idList(
      MOST_DESTINATIONS,
      `Ids of the destinations, at most ${MOST_DESTINATIONS}. Unknown ones are passed over. Default: every destination.`,
    )
      .min(1)
      .optional(),
  })
  .superRefine(refuseReversed);

export type RecoveryRequest = z.infer<typeof recoveryRequest>;

/** A recovery in a response. */
export const recoverySchema = z
  .object({
    id: z.string().meta({ description: 'Id of the recovery.' }),
    uri: z.string().meta({ description: 'Address of the recovery.' }),
    state: z.enum(['running', 'finished', 'cancelled']).meta({
      description:
        '`finished`: every event is queued. Whether it was delivered is the state of its delivery. `cancelled`: what was queued before is sent.',
    }),
    from: z.iso.datetime().meta({ description: 'Events recorded, or queued by a backfill, at or after this time.' }),
    to: z.iso.datetime().meta({ description: 'Events recorded, or queued by a backfill, before this time.' }),
    states: z.array(z.enum(undeliveredStates)).meta({ description: 'States of the deliveries.' }),
    destination_ids: z.array(z.string()).nullable().meta({ description: 'The destinations. Null: every one.' }),
    events_total: z.int().nullable().meta({
      description:
        'Number of events at the request. Null where the account has too many undelivered events to count them.',
    }),
    events_redelivered: z.int().meta({ description: 'Number of events that were queued again so far.' }),
    destinations_done: z.int().meta({ description: 'Number of destinations that are done.' }),
    principal: z
      .object({ id: z.string(), subject: z.string() })
      .meta({ description: 'The user or bot who requested it, and their name at that time.' }),
    created_at: z.iso.datetime().meta({ description: 'When the recovery was requested.' }),
    finished_at: z.iso.datetime().nullable().meta({ description: 'When it ended. Null before.' }),
  })
  .meta({ id: 'Recovery', description: 'The redelivery of what several destinations did not receive.' });

export type RecoveryResponse = z.infer<typeof recoverySchema>;

/** Dependencies of Recoveries. */
export interface RecoveriesParts {
  readonly db: Database;
  readonly store: RecoveryStore;
  readonly recorder: EventRecorder;
  readonly dispatcher: Pick<Dispatcher, 'notify'>;
}

/** Requests, shows and ends recoveries. Its begin and its end are events. */
export class Recoveries {
  constructor(private readonly parts: RecoveriesParts) {}

  /** Requests a recovery. @throws Problem `conflict` while another one of the account is unfinished */
  async create(context: RequestContext, request: RecoveryRequest): Promise<RecoveryResponse> {
    const { accountId, principal, baseUrl } = context;
    const recovery = {
      accountId,
      // `rejected` first: an expired delivery may be rejected when it is sent again, and would be sent twice.
      states: undeliveredStates.filter((state) => request.states.includes(state)),
      from: new Date(request.from),
      to: request.to === undefined ? undefined : new Date(request.to),
      destinationIds: request.destination_ids ?? null,
      principal,
    };
    const created = await this.recorded(context, recoveryStartedEvent.type, (trx) =>
      this.parts.store.create(trx, recovery),
    );
    if (created) return toResponse(created, baseUrl);
    throw new Problem('conflict', 'Another recovery is not finished. Wait for it, or cancel it.');
  }

  /** Returns a page of the recoveries of the account, newest first. */
  async list({ accountId, baseUrl }: RequestContext, { limit, before_id: beforeId }: PageQuery): Promise<Page> {
    const found = await this.parts.store.page(accountId, limit + 1, beforeId);
    const items = found.map((recovery) => toResponse(recovery, baseUrl));
    return page({ items, limit, listKey: 'recoveries', path: RECOVERIES_PATH, baseUrl });
  }

  /** Returns a recovery. @throws Problem `not_found` */
  async get({ accountId, baseUrl }: RequestContext, id: string): Promise<RecoveryResponse> {
    const recovery = await this.parts.store.find(accountId, id);
    if (!recovery) throw notFound('recovery', id);
    return toResponse(recovery, baseUrl);
  }

  /** Ends a recovery, and returns it; one that has ended stays as it is. @throws Problem `not_found` */
  async cancel(context: RequestContext, id: string): Promise<RecoveryResponse> {
    await this.get(context, id);
    await this.end(context, id, 'cancelled');
    return this.get(context, id);
  }

  /** Ends a recovery that has not ended. @param context whose principal ends it */
  async end(context: RequestContext, id: string, state: 'finished' | 'cancelled'): Promise<void> {
    await this.recorded(context, recoveryEndedEvent.type, (trx) => this.parts.store.end(trx, id, state));
  }

  /** Changes a recovery and records its event, in one transaction. @param change returns nothing for no change */
  private async recorded(
    context: RequestContext,
    type: RecoveryEventType,
    change: (trx: Transaction) => Promise<Recovery | null | undefined>,
  ): Promise<Recovery | null | undefined> {
    const { db, recorder, dispatcher } = this.parts;
    let receivers: readonly string[] = [];
    const changed = await db.transaction().execute(async (trx) => {
      const recovery = await change(trx);
      if (!recovery) return null;
      const { id, state, from, to, states, destination_ids, events_total, events_redelivered } = toResponse(
        recovery,
        context.baseUrl,
      );
      const object = { id, state, from, to, states, destination_ids, events_total, events_redelivered };
      receivers = await recorder.recordReport(trx, context, { type, resourceId: id, object });
      return recovery;
    });
    dispatcher.notify(receivers);
    return changed;
  }
}

function toResponse(recovery: Recovery, baseUrl: string): RecoveryResponse {
  const { id, state, states } = recovery;
  return {
    id,
    uri: `${baseUrl}${RECOVERIES_PATH}/${id}`,
    state,
    from: recovery.from_time.toISOString(),
    to: recovery.to_time.toISOString(),
    states,
    destination_ids: recovery.destination_ids,
    events_total: recovery.total,
    events_redelivered: recovery.redelivered,
    destinations_done: recovery.destinations_done,
    principal: { id: recovery.principal_id, subject: recovery.principal_subject },
    created_at: recovery.created_at.toISOString(),
    finished_at: recovery.finished_at?.toISOString() ?? null,
  };
}
