import pg from 'pg';
import type { Database, Transaction } from '../../database/database.js';
import { isStoreFailure } from '../../database/store-failure.js';
import { storeResponses, type SealedResponse } from '../../http/idempotency/idempotency-store.js';
import { Problem } from '../../problems/problem.js';
import { EventRuleStore } from '../rules/event-rule-store.js';
import type { EventRule } from '../rules/event-rule.js';
import { filterBudget, judged, type FilterBudget } from '../rules/judged-event.js';
import { ProjectionStore, publishedProjections } from '../rules/projection-store.js';
import type { ReportUnevaluated } from '../rules/unevaluated-filters.js';
import type { CheckedRequest } from './batch-check.js';
import { GroupPlan, keysOf } from './group-plan.js';
import type { JudgedRequestEvent, LockMode, RequestEvent } from './publish-statements.js';
import { PublishStore, resourceKey, versionKey, type LockedGroup } from './publish-store.js';
import type { PublishResponse } from './published-event.js';

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
const DEADLOCK_DETECTED = '40P01';

/**
 * Result of a request. `overtaken`: a type has changed since the check, or another transaction has committed what this
 * one assumed to be absent. `left`: the request is to be written alone. Nothing is stored in both cases.
 */
export type PublishResult =
  | { readonly kind: 'accepted'; readonly response: PublishResponse }
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'left' };

/** The transaction of a group has ended without effect, and one of its requests may be the reason. */
export class GroupFailed extends Error {
  override readonly name = 'GroupFailed';
}

/** The results of a group. */
export interface WrittenGroup {
  /** In the order of the requests. */
  readonly results: readonly PublishResult[];
  /** The destinations that have deliveries now. */
  readonly destinationIds: readonly string[];
  /** Number of the destinations of the events; null when none was written. */
  readonly destinations: number | null;
}

/** Writes the events of requests of one account: those of a group in one transaction. */
export class GroupWriter {
  private readonly store = new PublishStore();

  /** @param report called for each filter that cannot be evaluated for an event, which is sent */
  constructor(
    private readonly db: Database,
    private readonly report?: ReportUnevaluated,
  ) {}

  /**
   * Writes requests in one transaction, each with all of its events or none.
   * @param requests of one account, at least one
   * @param mode `skips`: waits for no lock; requests whose rows are locked, or whose types have changed, are left.
   * `waits`: for a request that is alone
   * @throws GroupFailed when nothing is stored, and one of the requests may be the reason
   */
  async write(requests: readonly CheckedRequest[], mode: LockMode): Promise<WrittenGroup> {
    let mayBeCommitted = false;
    try {
      return await this.db.transaction().execute(async (trx) => {
        const written = await this.writeWithin(trx, requests, mode);
        mayBeCommitted = true;
        return written;
      });
    } catch (error) {
      // Without an answer to the commit, the events may be stored: to write them again could store them twice.
      if (mayBeCommitted) throw error;
      const isOvertaken = error instanceof Overtaken || isDeadlock(error);
      if (requests.length === 1 && isOvertaken)
        return { results: [unwritten(mode)], destinationIds: [], destinations: null };
      if (isOvertaken || !isStoreFailure(error))
        throw new GroupFailed('A group of requests was not written.', { cause: error });
      throw error;
    }
  }

  private async writeWithin(
    trx: Transaction,
    requests: readonly CheckedRequest[],
    mode: LockMode,
  ): Promise<WrittenGroup> {
    const [{ context: { accountId } } = missing()] = requests;
    const keys = keysOf(
      accountId,
      requests.flatMap(({ events }) => events),
    );
    const locked = await this.store.lock(trx, keys, mode);
    // The types are locked: a change of one waits from here on.
    const { isRuled } = locked;
    const rules = isRuled ? await new EventRuleStore(trx).ofTypes(accountId, keys.eventTypes) : [];
    const createdAt = new Date();
    const plan = new GroupPlan(locked, createdAt);
    const all = filterBudget();
    const results: PublishResult[] = [];
    const events: JudgedRequestEvent[] = [];
    const responses: SealedResponse[] = [];
    for (const request of requests) {
      if (!isAsChecked(request, locked)) results.push(unwritten(mode));
      else if (all.left < 0 || plan.isFull) results.push({ kind: 'left' });
      else {
        const result = await this.add(request, plan, events, { rules, all });
        results.push(result);
        if (result.kind !== 'accepted' || !request.context.reservation) continue;
        responses.push(request.context.reservation.sealed({ status: 202, body: result.response }));
      }
    }
    await storeResponses(trx, responses);
    if (events.length === 0) return { results, destinationIds: [], destinations: null };
    await new ProjectionStore(trx).insert(accountId, events, publishedProjections);
    const written = await this.store.write(trx, { accountId, createdAt, events, isRuled, ...plan.states });
    if (!written.whole) throw new Overtaken();
    return { results, destinationIds: written.destination_ids, destinations: written.destinations };
  }

  /** Adds a request to the plan and to the events of its group, unless it is refused. */
  private async add(
    request: CheckedRequest,
    plan: GroupPlan,
    events: JudgedRequestEvent[],
    filters: GroupFilters,
  ): Promise<PublishResult> {
    try {
      const planned = await plan.planned(request);
      events.push(...(await this.judgedEvents(planned.events, filters)));
      plan.add(planned);
      return { kind: 'accepted', response: planned.response };
    } catch (problem) {
      if (!(problem instanceof Problem)) throw problem;
      return { kind: 'refused', problem };
    }
  }

  /** Applies the rules of their types to the events of a request. */
  private async judgedEvents(
    events: readonly RequestEvent[],
    { rules, all }: GroupFilters,
  ): Promise<readonly JudgedRequestEvent[]> {
    const budget = filterBudget();
    const { left } = budget;
    const judgedOnes: JudgedRequestEvent[] = [];
    for (const event of events) {
      const ofType = rules.filter(({ eventType }) => eventType === event.type);
      judgedOnes.push({ ...event, ...(await judged(event.payload, ofType, budget, this.report)) });
    }
    all.left -= left - budget.left;
    return judgedOnes;
  }
}

/** The rules of a group. */
interface GroupFilters {
  readonly rules: readonly EventRule[];
  /** Steps that are left for the group. Each request has as many of its own, whatever its group. */
  readonly all: FilterBudget;
}

/** Another transaction has committed what this one assumed to be absent. */
class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** Whether a request was checked with the types as they are, and no other transaction has locked a resource of it. */
function isAsChecked({ events }: CheckedRequest, { revisions, busy }: LockedGroup): boolean {
  return events.every(
    ({ type, resourceId }) =>
      revisions.get(versionKey(type.id, type.version)) === type.revision && !busy.has(resourceKey(type.id, resourceId)),
  );
}

/** The result of a request that is to be tried again: alone, or after another check. */
function unwritten(mode: LockMode): PublishResult {
  return { kind: mode === 'skips' ? 'left' : 'overtaken' };
}

function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === DEADLOCK_DETECTED;
}

function missing(): never {
  throw new Error('A group of requests is empty.');
}
