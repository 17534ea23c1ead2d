import { setImmediate } from 'node:timers/promises';
import { Body, Controller, Get, Inject, Param, Post } from '@nestjs/common';
import { z } from 'zod';
import { echoed } from '../../bounds/storable.js';
import { CONFIG, type Config } from '../../config/config.js';
import { RETENTION, type RetentionTimes } from '../../config/retention.js';
import { completeSince } from '../../database/complete-since.js';
import { readDatabaseTime } from '../../database/database-time.js';
import { DATABASE, type Database } from '../../database/database.js';
import { RetentionMarks } from '../../database/partitions/retention-marks.js';
import { EventCatalogue } from '../../events/catalogue/event-catalogue.js';
import { recordedUntil } from '../../events/log/recorded-until.js';
import { PayloadSchemas } from '../../events/rules/payload-schemas.js';
import { filterErrors } from '../../events/rules/rule-errors.js';
import { QueryParameters } from '../../http/input/query-parameters.js';
import { Operation } from '../../http/openapi/operation.js';
import { Context, type RequestContext } from '../../http/request/request-context.js';
import { page, pageParametersOf, pageSchema, type Page, type PageQuery } from '../../http/response/pagination.js';
import { invalidInput, notFound, Problem, type InputError } from '../../problems/problem.js';
import { eventDestination } from '../../resources/families/event-destinations/event-destination.js';
import { serviceToken, type ResourceService } from '../../resources/framework/service/resource-service.js';
import { backfillRequest, type BackfillRequest } from './backfill-request.js';
import { backfillSchema, backfillsPath, toBackfillResponse, type BackfillResponse } from './backfill-response.js';
import { BACKFILL_PREFIX, BackfillStore, type Backfill, type BackfillOwner } from './backfill-store.js';
import { keptSince } from './kept-events.js';

const listQuery = z.strictObject(pageParametersOf(BACKFILL_PREFIX));
const TAG = 'backfills';

/** The backfills of one destination (docs/decisions/earlier-events.md). */
@Controller('/event_destinations/:id/backfills')
export class BackfillsController {
  constructor(
    @Inject(DATABASE) private readonly db: Database,
    @Inject(serviceToken(eventDestination)) private readonly destinations: ResourceService,
    @Inject(BackfillStore) private readonly store: BackfillStore,
    @Inject(RetentionMarks) private readonly marks: RetentionMarks,
    @Inject(EventCatalogue) private readonly catalogue: EventCatalogue,
    @Inject(PayloadSchemas) private readonly schemas: PayloadSchemas,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(RETENTION) private readonly retention: RetentionTimes,
  ) {}

  @Post()
  @Operation({
    id: 'createBackfill',
    access: 'operate',
    summary: 'Send earlier events to an event destination',
    description:
      'Counts the matching events, and then sends those that the destination has no delivery of, oldest first, behind live events and at a limited rate. Each has its own `sequence`, and `backfill: true` in its payload: newer events of its resource may have arrived before. After the response to a subscription, a backfill and the live events together miss no event. A destination has one unfinished backfill at a time.',
    tagDescription: 'Earlier events for a destination, such as a new one.',
    tag: TAG,
    status: 201,
    response: backfillSchema,
    errors: ['conflict'],
  })
  async create(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Body({ schema: backfillRequest }) request: BackfillRequest,
  ): Promise<BackfillResponse> {
    const owner = await this.owner(context, id);
    const types = await this.types(owner, request.types);
    const range = await this.range(context, request);
    const filter = await this.filter(context, request, types);
    const { dry_run } = request;
    const events_per_second = this.rate(request);
    const created = await this.store.create({ ...owner, ...range, types, filter, events_per_second, dry_run });
    if (created) return toBackfillResponse(created, null, context.baseUrl);
    const other = await this.store.unfinishedOf(owner);
    // The destination was deleted, or the other backfill has just ended.
    await this.owner(context, id);
    const detail = 'Another backfill of this destination is not finished. Wait for it, or cancel it.';
    throw new Problem('conflict', detail, other && { conflicts: [other.id] });
  }

  @Get()
  @Operation({
    id: 'listBackfills',
    access: 'read',
    summary: 'List the backfills of an event destination',
    description: 'Ended backfills are listed for `RETENTION_DELIVERED_DAYS`.',
    tag: TAG,
    response: pageSchema('backfills', backfillSchema),
  })
  async list(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @QueryParameters(listQuery) { limit, before_id: beforeId }: PageQuery,
  ): Promise<Page> {
    const found = await this.store.page(await this.owner(context, id), limit + 1, beforeId);
    const items = await Promise.all(found.map((backfill) => this.shown(context, backfill)));
    const path = backfillsPath(id);
    return page({ items, limit, listKey: 'backfills', path, baseUrl: context.baseUrl });
  }

  @Get(':backfill_id')
  @Operation({
    id: 'getBackfill',
    access: 'read',
    summary: 'Get a backfill',
    tag: TAG,
    response: backfillSchema,
  })
  async get(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Param('backfill_id') backfillId: string,
  ): Promise<BackfillResponse> {
    const backfill = await this.store.find({ account_id: context.accountId, destination_id: id }, backfillId);
    if (!backfill) throw notFound('backfill', backfillId);
    return this.shown(context, backfill);
  }

  @Post(':backfill_id/cancel')
  @Operation({
    id: 'cancelBackfill',
    access: 'operate',
    summary: 'Cancel a backfill',
    description:
      'No more events are queued; what is queued is sent. A backfill that has ended stays as it is, and is returned.',
    tag: TAG,
    response: backfillSchema,
  })
  async cancel(
    @Context() context: RequestContext,
    @Param('id') id: string,
    @Param('backfill_id') backfillId: string,
  ): Promise<BackfillResponse> {
    await this.store.cancel({ account_id: context.accountId, destination_id: id }, backfillId);
    return this.get(context, id, backfillId);
  }

  /** A destination has one running backfill at most, so a page asks once what it waits for. */
  private async shown(context: RequestContext, backfill: Backfill): Promise<BackfillResponse> {
    const waitingFor = backfill.state === 'running' ? await this.store.waitingFor(backfill) : null;
    return toBackfillResponse(backfill, waitingFor, context.baseUrl);
  }

  private async owner(context: RequestContext, destinationId: string): Promise<BackfillOwner> {
    await this.destinations.attributes(context, destinationId);
    return { account_id: context.accountId, destination_id: destinationId };
  }

  /** Returns the types of a backfill: those that are asked for, or all that subscriptions send to the destination. */
  private async types(owner: BackfillOwner, asked: readonly string[] | undefined): Promise<readonly string[]> {
    const routed = (await this.store.routedTypes(owner)).filter((type) => !this.isSnapshot(type));
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
    return type.endsWith('_snapshot.v0') && this.catalogue.find(type) !== undefined;
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
      const schema = await this.schemas.of(accountId, type);
      const errors = schema ? filterErrors(filter, schema) : [];
      const where = types.length > 1 ? `, for the event type ${type}` : '';
      if (errors.length > 0) throw invalidInput(errors.map((error) => ({ ...error, detail: error.detail + where })));
      // Other requests run between the checks of two types.
      await setImmediate();
    }
    return filter;
  }

  private async range({ accountId }: RequestContext, { from: given, to }: BackfillRequest) {
    const now = await readDatabaseTime(this.db);
    const from = new Date(given);
    const latest = await readDatabaseTime(this.db, recordedUntil(accountId));
    const end = new Date(to === undefined ? latest : Math.min(Date.parse(to), latest.getTime()));
    if (from >= now || from >= end) throw invalidInput([{ pointer: '/from', detail: 'must be in the past' }]);
    const kept = keptSince(now, this.retention.eventsMs);
    if (end <= kept) {
      const detail = `must be later than ${kept.toISOString()}, since when events are kept`;
      throw invalidInput([{ pointer: '/to', detail }]);
    }
    const retained = await this.marks.of(accountId);
    const removed = [retained.get('events') ?? null, await this.marks.unlessYounger(accountId, kept)];
    return {
      from_time: from,
      to_time: end,
      complete_since: completeSince(from, removed),
      repeats_before: completeSince(from, [retained.get('deliveries') ?? null]),
    };
  }

  private rate({ events_per_second: rate }: BackfillRequest): number {
    const most = this.config.BACKFILL_EVENTS_PER_SECOND;
    if (rate === undefined || rate <= most) return rate ?? most;
    const detail = `must not be higher than ${most}, the setting BACKFILL_EVENTS_PER_SECOND`;
    throw invalidInput([{ pointer: '/events_per_second', detail }]);
  }
}
