import { SpanKind } from '@opentelemetry/api';
import type { Database } from '../../database/database.js';
import type { Dispatcher } from '../../delivery/dispatch/dispatcher.js';
import type { RateEnforcer } from '../../http/rate-limit/enforce.js';
import type { RequestContext } from '../../http/request/request-context.js';
import type { RequestObserver } from '../../http/request/request-observer.js';
import { invalidInput, Problem, type InputError } from '../../problems/problem.js';
import { traceParentOf, withSpan } from '../../tracing/span.js';
import type { RegisteredEventType, ResourceTypeStore } from '../resource-types/resource-type-store.js';
import type { ObjectSchemas } from '../resource-types/schemas/object-schemas.js';
import type { ReportUnevaluated } from '../rules/unevaluated-filters.js';
import { checkBatch, type CheckedBatch, type CheckedEvent } from './batch-check.js';
import { GroupWriter } from './group-writer.js';
import { PublishGroups } from './publish-groups.js';
import type { PublishedEvent, PublishResponse } from './published-event.js';

/**
 * How often a request is tried. Each repetition follows the change of a type, or the commit of a request with the same
 * new resource or id.
 */
const MOST_TRIES = 10;

/** Dependencies of the publisher. */
export interface PublisherServices {
  readonly db: Database;
  readonly types: ResourceTypeStore;
  readonly schemas: Pick<ObjectSchemas, 'objectErrors'>;
  readonly dispatcher: Pick<Dispatcher, 'notify'>;
  /** Null where no rate is limited. */
  readonly rates: RateEnforcer | null;
  /** Null where nothing is measured. */
  readonly observer: Pick<RequestObserver, 'published'> | null;
  /** Called for each filter that cannot be evaluated for an event, which is sent. */
  readonly report?: ReportUnevaluated;
}

/** Accepts the events of resources that the account has registered types for (docs/publishing.md). */
export class Publisher {
  private readonly groups: PublishGroups;

  constructor(private readonly services: PublisherServices) {
    this.groups = new PublishGroups(new GroupWriter(services.db, services.report), services.dispatcher);
  }

  /**
   * Stores a batch of events with their deliveries: all or none.
   * @throws Problem `invalid_input`, `event_id_reused`, `event_too_large`, `rate_limited`, or `unavailable` when other
   * requests keep overtaking this one
   */
  async publish(context: RequestContext, batch: readonly PublishedEvent[]): Promise<PublishResponse> {
    const { observer, rates } = this.services;
    try {
      await rates?.takeEvents(context.accountId, batch.length);
      const response = await this.accept(context, batch);
      const duplicates = response.events.filter(({ duplicate }) => duplicate).length;
      observer?.published({ accepted: batch.length - duplicates, duplicate: duplicates });
      return response;
    } catch (error) {
      if (error instanceof Problem && error.code !== 'unavailable') observer?.published({ refused: batch.length });
      throw error;
    }
  }

  private async accept(context: RequestContext, batch: readonly PublishedEvent[]): Promise<PublishResponse> {
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const events = await (tries === 1 ? this.check(context, batch) : this.checkAsStored(context, batch));
      const response = await this.write(context, events);
      if (response) return response;
    }
    const detail = 'Other requests keep creating the same resources or events. Nothing was stored. Retry.';
    throw new Problem('unavailable', detail, { retryAfterSeconds: 1 });
  }

  /**
   * Checks a batch with the types that this process keeps: the statement that locks them compares their revisions. They
   * may have changed, so a batch is not refused before they are read.
   * @throws Problem `invalid_input` with the first errors; `unavailable`
   */
  private async check(context: RequestContext, batch: readonly PublishedEvent[]): Promise<readonly CheckedEvent[]> {
    const kept = this.services.types.keptByEventType(context.accountId, eventTypesOf(batch));
    const checked = kept && (await this.checkWith(context, batch, kept));
    return checked && 'events' in checked ? checked.events : this.checkAsStored(context, batch);
  }

  /** @throws Problem `invalid_input` with the first errors; `unavailable` */
  private async checkAsStored(
    context: RequestContext,
    batch: readonly PublishedEvent[],
  ): Promise<readonly CheckedEvent[]> {
    const stored = await this.services.types.byEventType(context.accountId, eventTypesOf(batch));
    const checked = await this.checkWith(context, batch, stored);
    if ('errors' in checked) throw invalidInput(checked.errors);
    return checked.events;
  }

  private async checkWith(
    { accountId }: RequestContext,
    batch: readonly PublishedEvent[],
    types: ReadonlyMap<string, RegisteredEventType>,
  ): Promise<CheckedBatch> {
    const invalid = await this.invalidObjects(accountId, batch, types);
    return checkBatch(batch, types, invalid, new Date());
  }

  /** Returns, by index, the first error of each object that its schema refuses. */
  private async invalidObjects(
    accountId: string,
    batch: readonly PublishedEvent[],
    types: ReadonlyMap<string, RegisteredEventType>,
  ): Promise<ReadonlyMap<number, InputError>> {
    const objects = batch.flatMap(({ type, object }, index) => {
      const schema = types.get(type)?.type.schemaText;
      return schema ? [{ index, schema, object }] : [];
    });
    if (objects.length === 0) return new Map();
    const errors = await this.services.schemas.objectErrors(accountId, objects);
    return new Map(objects.flatMap(({ index }, at) => (errors[at] ? [[index, errors[at]]] : [])));
  }

  /** Returns the response; null when the request was overtaken, and nothing was stored. @throws Problem */
  private write(context: RequestContext, events: readonly CheckedEvent[]): Promise<PublishResponse | null> {
    const attributes = { 'messaging.system': 'waybill', 'messaging.batch.message_count': events.length };
    return withSpan(context.trace, 'publish events', { kind: SpanKind.PRODUCER, attributes }, async (span) => {
      const result = await this.groups.write({ context, events, traceParent: traceParentOf(span) });
      if (result.kind === 'refused') throw result.problem;
      return result.kind === 'accepted' ? result.response : null;
    });
  }
}

function eventTypesOf(batch: readonly PublishedEvent[]): readonly string[] {
  return batch.map(({ type }) => type);
}
