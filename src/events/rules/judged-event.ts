import { LRUCache } from 'lru-cache';
import type { EventEnvelope } from '../event-envelope.js';
import { compileSavedFilter, type EventFilter } from '../filters/filter.js';
import type { EventRule } from './event-rule.js';

/** Compiled filters that a process keeps. */
const MOST_COMPILED = 2_000;
/** Most steps of all filters in one transaction: less than half a second at worst. */
const MOST_STEPS = 3_000_000;

/** The steps that are left for the filters of a transaction. */
export interface FilterBudget {
  left: number;
}

/**
 * Returns the steps for the filters of one transaction, whatever the number of its events. When they are used up, the
 * remaining filters match: an event too many can be seen, and a lost one cannot.
 */
export function filterBudget(left: number = MOST_STEPS): FilterBudget {
  return { left };
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
 * Applies the filters of rules to an event.
 * @param rules of the type of the event, in one order for every event
 */
export function judged(
  payload: string,
  rules: readonly EventRule[],
  budget: FilterBudget = filterBudget(),
): JudgedEvent {
  if (rules.length === 0) return { refusing: [], projecting: [] };
  const event: EventEnvelope = JSON.parse(payload);
  const results = new Map<string, boolean>();
  const refusing: string[] = [];
  const projecting: EventRule[] = [];
  for (const rule of rules) {
    const { filter: expression } = rule;
    let matches = expression === null || results.get(expression);
    if (expression !== null && matches === undefined) {
      const filter = compiledFilter(expression);
      budget.left -= filter.steps(event);
      matches = budget.left < 0 || filter.matches(event);
      results.set(expression, matches);
    }
    if (matches === false) refusing.push(rule.subscriptionId);
    else if (rule.fields) projecting.push(rule);
  }
  return { refusing, projecting };
}

function compiledFilter(expression: string): EventFilter {
  let filter = compiled.get(expression);
  if (!filter) {
    filter = compiledOrEverything(expression);
    compiled.set(expression, filter);
  }
  return filter;
}

/** A filter that was accepted when it was saved, and is refused by this version, matches every event. */
function compiledOrEverything(expression: string): EventFilter {
  try {
    return compileSavedFilter(expression);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'the filter is refused';
    return { matches: () => true, evaluate: () => ({ matches: true, error: reason }), steps: () => 1 };
  }
}
