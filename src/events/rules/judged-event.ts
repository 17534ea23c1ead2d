import { LRUCache } from 'lru-cache';
import { Stretch } from '../../timing/stretch.js';
import type { EventEnvelope } from '../envelope/event-envelope.js';
import type { EventRule } from './event-rule.js';
import { compileSavedFilter, type EventFilter, type FilterResult } from './filters/filter.js';
import { ignoreUnevaluated, type ReportUnevaluated } from './unevaluated-filters.js';

/** Compiled filters that a process keeps. */
const MOST_COMPILED = 2_000;
/** Most steps of all filters in one transaction: about half a second at worst. */
const MOST_STEPS = 4_000_000;

/** The steps that are left for the filters of a transaction. */
export interface FilterBudget {
  left: number;
  readonly stretch: Pick<Stretch, 'pause'>;
}

/**
 * Returns the steps for the filters of one transaction, whatever the number of its events. When they are used up, the
 * remaining filters match: an event too many can be seen, and a lost one cannot.
 */
export function filterBudget(left: number = MOST_STEPS): FilterBudget {
  return { left, stretch: new Stretch() };
}

const compiled = new LRUCache<string, EventFilter>({ max: MOST_COMPILED });

/** What the rules of its type say about an event. */
export interface JudgedEvent {
  /** The subscriptions whose filter does not match. */
  readonly refusing: readonly string[];
  /** The rules with fields of the other subscriptions. */
  readonly projecting: readonly EventRule[];
}

/**
 * Applies the filters of rules to an event. Serves others between two filters.
 * @param rules of the type of the event, in one order for every event
 * @param report called for each filter that cannot be evaluated, with the first of its subscriptions
 */
export async function judged(
  payload: string,
  rules: readonly EventRule[],
  budget: FilterBudget = filterBudget(),
  report: ReportUnevaluated = ignoreUnevaluated,
): Promise<JudgedEvent> {
  if (rules.length === 0) return { refusing: [], projecting: [] };
  const event: EventEnvelope = JSON.parse(payload);
  const results = new Map<string, boolean>();
  const refusing: string[] = [];
  const projecting: EventRule[] = [];
  for (const rule of rules) {
    await budget.stretch.pause();
    const { filter: expression } = rule;
    let matches = expression === null || results.get(expression);
    if (expression !== null && matches === undefined) {
      const { matches: found, reason } = evaluated(expression, event, budget);
      matches = found;
      results.set(expression, found);
      const { event_id: eventId, event_type: eventType } = event;
      if (reason !== null) report({ reason, eventId, eventType, of: { subscription: rule.subscriptionId } });
    }
    if (matches === false) refusing.push(rule.subscriptionId);
    else if (rule.fields) projecting.push(rule);
  }
  return { refusing, projecting };
}

function evaluated(
  expression: string,
  event: EventEnvelope,
  budget: FilterBudget,
): Pick<FilterResult, 'matches' | 'reason'> {
  const filter = compiledFilter(expression);
  budget.left -= filter.steps(event);
  return budget.left < 0 ? { matches: true, reason: 'transaction_cost' } : filter.evaluate(event);
}

/** Returns a saved filter, compiled. One that this release refuses matches every event. */
export function compiledFilter(expression: string): EventFilter {
  let filter = compiled.get(expression);
  if (!filter) {
    filter = compiledOrEverything(expression);
    compiled.set(expression, filter);
  }
  return filter;
}

function compiledOrEverything(expression: string): EventFilter {
  try {
    return compileSavedFilter(expression);
  } catch (error) {
    const message = error instanceof Error ? error.message : 'the filter is refused';
    const result = { matches: true, error: message, reason: 'refused' } as const;
    return { evaluate: () => result, steps: () => 1 };
  }
}
