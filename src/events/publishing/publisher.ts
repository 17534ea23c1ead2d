import { SpanKind } from '@opentelemetry/api';
import pg from 'pg';
import type { Database, Transaction } from '../../database/database.js';
import type { Dispatcher } from '../../delivery/dispatch/dispatcher.js';
import type { EventBudget } from '../../http/rate-limit/event-budget.js';
import type { RequestContext } from '../../http/request/request-context.js';
import type { RequestObserver } from '../../http/request/request-observer.js';
import { invalidInput, Problem, type InputError } from '../../problems/problem.js';
import { traceParentOf, withSpan } from '../../tracing/span.js';
import type { RegisteredEventType, ResourceTypeStore } from '../resource-types/resource-type-store.js';
import type { ObjectSchemas } from '../resource-types/schemas/object-schemas.js';
import { EventRuleStore } from '../rules/event-rule-store.js';
import type { EventRule } from '../rules/event-rule.js';
import { filterBudget, judged } from '../rules/judged-event.js';
import { ProjectionStore } from '../rules/projection-store.js';
import type { ReportUnevaluated } from '../rules/unevaluated-filters.js';
import { checkBatch, type CheckedEvent } from './batch-check.js';
import { keysOf, planBatch } from './batch-plan.js';
import type { BatchEvent, JudgedBatchEvent } from './publish-statements.js';
import { PublishStore, versionKey } from './publish-store.js';
import type { PublishedEvent, PublishResponse } from './published-event.js';

/** How often a batch is tried. Each repetition follows the commit of a batch with the same new resource or id. */
const MOST_TRIES = 10;
/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const DEADLOCK_DETECTED = '40P01';

/** Another transaction has committed what this one assumed to be absent or unchanged. */
class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** Dependencies of the publisher. */
export interface PublisherServices {
  readonly db: Database;
  readonly types: ResourceTypeStore;
  readonly schemas: Pick<ObjectSchemas, 'objectErrors'>;
  readonly dispatcher: Pick<Dispatcher, 'notify'>;
  /** Null where no rate is limited. */
  readonly budget: EventBudget | null;
  /** Null where nothing is measured. */
  readonly observer: Pick<RequestObserver, 'published'> | null;
  /** Called for each filter that cannot be evaluated for an event, which is sent. */
  readonly report?: ReportUnevaluated;
}

interface Accepted {
  readonly response: PublishResponse;
  readonly destinationIds: readonly string[];
}

/** Accepts the events of resources that the account has registered types for (docs/publishing.md). */
export class Publisher {
  constructor(private readonly services: PublisherServices) {}

  /**
   * Stores a batch of events with their deliveries: all or none.
   * @throws Problem `invalid_input`, `event_id_reused`, `event_too_large`, `rate_limited`, or `unavailable` when other
   * batches keep overtaking this one
   */
  async publish(context: RequestContext, batch: readonly PublishedEvent[]): Promise<PublishResponse> {
    const { observer, budget, dispatcher } = this.services;
    try {
      await budget?.take(context.accountId, batch.length);
      const { response, destinationIds } = await this.accept(context, batch);
      dispatcher.notify(destinationIds);
      const duplicates = response.events.filter(({ duplicate }) => duplicate).length;
      observer?.published({ accepted: batch.length - duplicates, duplicate: duplicates });
      return response;
    } catch (error) {
      if (error instanceof Problem && error.kind !== 'unavailable') observer?.published({ refused: batch.length });
      throw error;
    }
  }

  private async accept(context: RequestContext, batch: readonly PublishedEvent[]): Promise<Accepted> {
    for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
      const events = await this.check(context, batch);
      try {
        return await this.write(context, events);
      } catch (error) {
        if (!isOvertaken(error)) throw error;
      }
    }
    const detail = 'Other requests keep creating the same resources or events. Nothing was stored. Retry.';
    throw new Problem('unavailable', 'unavailable', detail, { retryAfterSeconds: 1 });
  }

  /** @throws Problem `invalid_input` with the first errors; `unavailable` */
  private async check(
    { accountId }: RequestContext,
    batch: readonly PublishedEvent[],
  ): Promise<readonly CheckedEvent[]> {
    const wanted = batch.map(({ type }) => type);
    const types = await this.services.types.byEventType(accountId, wanted);
    const invalid = await this.invalidObjects(accountId, batch, types);
    const checked = await checkBatch(batch, types, invalid, new Date());
    if ('errors' in checked) throw invalidInput(checked.errors);
    return checked.events;
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
    const errors = await this.services.schemas.objectErrors(accountId, objects);
    return new Map(objects.flatMap(({ index }, at) => (errors[at] ? [[index, errors[at]]] : [])));
  }

  private write(context: RequestContext, events: readonly CheckedEvent[]): Promise<Accepted> {
    const attributes = { 'messaging.system': 'waybill', 'messaging.batch.message_count': events.length };
    return withSpan(context.trace, 'publish events', { kind: SpanKind.PRODUCER, attributes }, (span) =>
      this.services.db
        .transaction()
        .execute((trx) => writeWithin(trx, context, events, span ? traceParentOf(span) : null, this.services.report)),
    );
  }
}

async function writeWithin(
  trx: Transaction,
  context: RequestContext,
  batch: readonly CheckedEvent[],
  traceParent: string | null,
  report?: ReportUnevaluated,
): Promise<Accepted> {
  const store = new PublishStore(trx);
  const { accountId } = context;
  const keys = keysOf(accountId, batch);
  const locked = await store.lock(keys);
  // A change of a type waits from here on. One before it may have deleted the type, or redact more.
  for (const { type } of batch) {
    if (locked.revisions.get(versionKey(type.id, type.version)) !== type.revision) throw new Overtaken();
  }
  const createdAt = new Date();
  const { response, ...plan } = planBatch(context, batch, locked, createdAt);
  let destinationIds: readonly string[] = [];
  if (plan.events.length > 0) {
    const { isRuled } = locked;
    const rules = isRuled ? await new EventRuleStore(trx).ofTypes(accountId, keys.eventTypes) : [];
    const events = judgedEvents(plan.events, rules, report);
    await new ProjectionStore(trx).insert(accountId, events);
    const written = await store.write({ accountId, createdAt, traceParent, isRuled, ...plan, events });
    if (!written.whole) throw new Overtaken();
    destinationIds = written.destination_ids;
  }
  await context.reservation?.storeResponse(trx, { status: 202, body: response });
  return { response, destinationIds };
}

/** Applies the rules of their types to events. */
function judgedEvents(
  events: readonly BatchEvent[],
  rules: readonly EventRule[],
  report?: ReportUnevaluated,
): readonly JudgedBatchEvent[] {
  const budget = filterBudget();
  return events.map((event) => {
    const ofType = rules.filter(({ eventType }) => eventType === event.type);
    return { ...event, ...judged(event.payload, ofType, budget, report) };
  });
}

function isOvertaken(error: unknown): boolean {
  return error instanceof Overtaken || (error instanceof pg.DatabaseError && error.code === DEADLOCK_DETECTED);
}
