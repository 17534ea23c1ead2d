import { setImmediate } from 'node:timers/promises';
import { echoed } from '../../bounds/storable.js';
import { completeSince } from '../../database/complete-since.js';
import { readDatabaseTime } from '../../database/database-time.js';
import type { Database } from '../../database/database.js';
import type { RetentionMarks } from '../../database/partitions/retention-marks.js';
import type { EventCatalogue } from '../../events/catalogue/event-catalogue.js';
import { recordedUntil } from '../../events/log/recorded-until.js';
import type { PayloadSchemas } from '../../events/rules/payload-schemas.js';
import { filterErrors } from '../../events/rules/rule-errors.js';
import type { RequestContext } from '../../http/request/request-context.js';
import { assertCursor, page, type Page, type PageQuery } from '../../http/response/pagination.js';
import { invalidInput, notFound, Problem, type InputError } from '../../problems/problem.js';
import type { ResourceService } from '../../resources/framework/service/resource-service.js';
import type { BackfillRequest } from './backfill-request.js';
import { backfillsPath, toBackfillResponse, type BackfillResponse } from './backfill-response.js';
import { BACKFILL_PREFIX, type Backfill, type BackfillOwner, type BackfillStore } from './backfill-store.js';
import { keptSince } from './kept-events.js';

/** Dependencies of Backfills. */
export interface BackfillsParts {
  readonly db: Database;
  readonly destinations: Pick<ResourceService, 'attributes'>;
  readonly store: BackfillStore;
  readonly marks: RetentionMarks;
  readonly catalogue: Pick<EventCatalogue, 'find'>;
  readonly schemas: PayloadSchemas;
  /** Most events that a backfill sends in a second, and the default. */
  readonly eventsPerSecond: number;
  /** The retention of events, in milliseconds. */
  readonly eventsMs: number;
}

/** Requests, shows and cancels backfills of destinations (docs/decisions/earlier-events.md). */
export class Backfills {
  constructor(private readonly parts: BackfillsParts) {}

  /**
   * Requests a backfill.
   * @throws Problem `not_found`; `invalid_input` for types, a filter, a range or a rate that cannot be; `conflict`
   * while another backfill of the destination is unfinished
   */
  async create(context: RequestContext, destinationId: string, request: BackfillRequest): Promise<BackfillResponse> {
    const { store } = this.parts;
    const owner = await this.owner(context, destinationId);
    const types = await this.types(owner, request.types);
    const range = await this.range(context, request);
    const filter = await this.filter(context, request, types);
    const { dry_run } = request;
    const events_per_second = this.rate(request);
    const created = await store.create({ ...owner, ...range, types, filter, events_per_second, dry_run });
    if (created) return toBackfillResponse(created, null, context.baseUrl);
    const other = await store.unfinishedOf(owner);
    // The destination was deleted, or the other backfill has just ended.
    await this.owner(context, destinationId);
    const detail = 'Another backfill of this destination is not finished. Wait for it, or cancel it.';
    throw new Problem('conflict', 'conflict', detail, other && { conflicts: [other.id] });
  }

  /** Returns a page of the backfills of a destination, newest first. @throws Problem `not_found` */
  async list(context: RequestContext, destinationId: string, { limit, before_id: beforeId }: PageQuery): Promise<Page> {
    assertCursor(BACKFILL_PREFIX, beforeId);
    const found = await this.parts.store.page(await this.owner(context, destinationId), limit + 1, beforeId);
    const items = await Promise.all(found.map((backfill) => this.shown(context, backfill)));
    const path = backfillsPath(destinationId);
    return page({ items, limit, listKey: 'backfills', path, baseUrl: context.baseUrl });
  }

  /** Returns a backfill. @throws Problem `not_found` */
  async get(context: RequestContext, destinationId: string, id: string): Promise<BackfillResponse> {
    return this.shown(context, await this.find(context, destinationId, id));
  }

  /** Ends a backfill, and returns it; one that has ended stays as it is. @throws Problem `not_found` */
  async cancel(context: RequestContext, destinationId: string, id: string): Promise<BackfillResponse> {
    await this.parts.store.cancel({ account_id: context.accountId, destination_id: destinationId }, id);
    return this.get(context, destinationId, id);
  }

  /** A destination has one running backfill at most, so a page asks once what it waits for. */
  private async shown(context: RequestContext, backfill: Backfill): Promise<BackfillResponse> {
    const waitingFor = backfill.state === 'running' ? await this.parts.store.waitingFor(backfill) : null;
    return toBackfillResponse(backfill, waitingFor, context.baseUrl);
  }

  private async owner(context: RequestContext, destinationId: string): Promise<BackfillOwner> {
    await this.parts.destinations.attributes(context, destinationId);
    return { account_id: context.accountId, destination_id: destinationId };
  }

  private async find({ accountId }: RequestContext, destinationId: string, id: string): Promise<Backfill> {
    const backfill = await this.parts.store.find({ account_id: accountId, destination_id: destinationId }, id);
    if (!backfill) throw notFound('backfill', id);
    return backfill;
  }

  /** Returns the types of a backfill: those that are asked for, or all that subscriptions send to the destination. */
  private async types(owner: BackfillOwner, asked: readonly string[] | undefined): Promise<readonly string[]> {
    const routed = (await this.parts.store.routedTypes(owner)).filter((type) => !this.isSnapshot(type));
    if (asked === undefined) {
      if (routed.length > 0) return routed;
      throw invalidInput([
        { pointer: '/types', detail: 'there is no subscription that sends events to this destination' },
      ]);
    }
    const errors = asked.flatMap((type, index): readonly InputError[] => {
      if (routed.includes(type)) return [];
      const name = JSON.stringify(echoed(type));
      const detail = this.isSnapshot(type)
        ? `${name} is not an event type of changes: to repeat a snapshot, remove its source and add it again`
        : `${name} is not an event type that a subscription sends to this destination`;
      return [{ pointer: `/types/${index}`, detail }];
    });
    if (errors.length > 0) throw invalidInput(errors);
    return asked;
  }

  /** The snapshot of a resource is no change, and is addressed to the destinations of its time. */
  private isSnapshot(type: string): boolean {
    return type.endsWith('_snapshot.v0') && this.parts.catalogue.find(type) !== undefined;
  }

  /**
   * Returns the filter of a request.
   * @throws Problem `invalid_input` where it does not fit one of the types: a misspelt name would let all events pass
   */
  private async filter(
    { accountId }: RequestContext,
    { filter }: BackfillRequest,
    types: readonly string[],
  ): Promise<string | null> {
    if (filter == null) return null;
    for (const type of types) {
      const schema = await this.parts.schemas.of(accountId, type);
      const errors = schema ? filterErrors(filter, schema) : [];
      const where = types.length > 1 ? `, for the event type ${type}` : '';
      if (errors.length > 0) throw invalidInput(errors.map((error) => ({ ...error, detail: error.detail + where })));
      // Other requests run between the checks of two types.
      await setImmediate();
    }
    return filter;
  }

  private async range({ accountId }: RequestContext, { from: given, to }: BackfillRequest) {
    const now = await readDatabaseTime(this.parts.db);
    const from = new Date(given);
    const latest = await readDatabaseTime(this.parts.db, recordedUntil(accountId));
    const end = new Date(to === undefined ? latest : Math.min(Date.parse(to), latest.getTime()));
    if (from >= now || from >= end) throw invalidInput([{ pointer: '/from', detail: 'must be in the past' }]);
    const kept = keptSince(now, this.parts.eventsMs);
    if (end <= kept) {
      const detail = `must be later than ${kept.toISOString()}, since when events are kept`;
      throw invalidInput([{ pointer: '/to', detail }]);
    }
    const { marks } = this.parts;
    const retained = await marks.of(accountId);
    const removed = [retained.get('events') ?? null, await marks.unlessYounger(accountId, kept)];
    return {
      from_time: from,
      to_time: end,
      complete_since: completeSince(from, removed),
      repeats_before: completeSince(from, [retained.get('deliveries') ?? null]),
    };
  }

  private rate({ events_per_second: rate }: BackfillRequest): number {
    const { eventsPerSecond: most } = this.parts;
    if (rate === undefined || rate <= most) return rate ?? most;
    const detail = `must not be higher than ${most}, the setting BACKFILL_EVENTS_PER_SECOND`;
    throw invalidInput([{ pointer: '/events_per_second', detail }]);
  }
}
