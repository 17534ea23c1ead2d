import { EvaluationError, ParseError, TypeError, type Environment, type ParseResult } from '@marcbachmann/cel-js';
import type { UnevaluatedReason } from '../../../delivery/delivery-observer.js';
import type { EventEnvelope } from '../../envelope/event-envelope.js';
import { EventReading } from './event-reading.js';
import { FilterCost } from './filter-cost.js';
import { FilterError } from './filter-error.js';
import {
  baseEnvironment,
  callError,
  filterVariables,
  LONGEST_FILTER,
  MATCHES,
  withLinearMatches,
} from './filter-language.js';
import { nodesOf } from './syntax-tree.js';

/** Most steps of an evaluation: about 25 milliseconds at worst. */
const MOST_STEPS = 200_000;
/** The event for which a filter is checked when it is saved. */
const USUAL_EVENT = { length: 8_192, largest: 50, longestText: 1_024 };

/** The result of an evaluation. */
export interface FilterResult {
  readonly matches: boolean;
  /** Why the filter could not be evaluated for the event: it matches then. Null otherwise. */
  readonly error: string | null;
  /** The same as one of a few words. */
  readonly reason: UnevaluatedReason | null;
}

/** A compiled filter. */
export interface EventFilter {
  /** Returns whether an event matches. One for which the filter cannot be evaluated does: no error loses an event. */
  evaluate(event: EventEnvelope): FilterResult;
  /** Returns the most steps that `evaluate` takes for an event (FilterCost): 1 for an event that it does not read. */
  steps(event: EventEnvelope): number;
}

const anyEvent = filterVariables.reduce((made, name) => made.registerVariable(name, 'dyn'), baseEnvironment());

/**
 * Compiles a filter: an expression in CEL over the payload of an event, such as `object.action == "deny"`
 * (docs/filters.md).
 * @throws FilterError with the position, for an expression that is too long, not CEL, or not a condition, or that costs
 * too much
 */
export function compileFilter(expression: string): EventFilter {
  const program = parseFilter(expression, anyEvent);
  assertAffordable(program, expression);
  return new CompiledFilter(program);
}

/**
 * Compiles a filter that was saved. One that costs too much for a usual event, as this version counts, is evaluated for
 * smaller ones.
 * @throws FilterError as `compileFilter` otherwise
 */
export function compileSavedFilter(expression: string): EventFilter {
  return new CompiledFilter(parseFilter(expression, anyEvent));
}

/**
 * Parses a filter in an environment, and checks all but its cost.
 * @throws FilterError
 */
export function parseFilter(expression: string, environment: Environment): ParseResult {
  if (Array.from(expression).length > LONGEST_FILTER) {
    throw new FilterError(`a filter has at most ${LONGEST_FILTER} characters`, expression, LONGEST_FILTER);
  }
  const parsed = parsedWith(expression, environment);
  for (const node of nodesOf(parsed.ast)) {
    const error = callError(node);
    if (error !== null) throw new FilterError(error, expression, node.pos);
    withLinearMatches(node);
  }
  const { valid, type, error } = parsed.check();
  if (!valid) throw filterErrorOf(error, expression);
  if (type !== 'bool' && !type?.startsWith('dyn')) {
    throw new FilterError(`a filter is a condition, and this is of the type ${type}`, expression, 0);
  }
  return parsed;
}

/** @throws FilterError for a filter that costs too much for a usual event */
export function assertAffordable({ ast }: ParseResult, expression: string): void {
  if (new FilterCost(ast).of(USUAL_EVENT) <= MOST_STEPS) return;
  const reason =
    'the filter costs too much: use fewer macros within each other, less matches, or shorter lists and texts';
  throw new FilterError(reason, expression, 0);
}

function parsedWith(expression: string, environment: Environment): ParseResult {
  try {
    return environment.parse(expression);
  } catch (error) {
    throw filterErrorOf(error, expression);
  }
}

function filterErrorOf(error: unknown, expression: string): FilterError {
  if (error instanceof ParseError || error instanceof TypeError) {
    return new FilterError(shown(error.summary), expression, error.range?.start ?? 0);
  }
  return new FilterError(error instanceof Error ? error.message : 'the expression is invalid', expression, 0);
}

class CompiledFilter implements EventFilter {
  private readonly cost: FilterCost;
  private readonly readsChanges: boolean;

  constructor(private readonly program: ParseResult) {
    this.cost = new FilterCost(program.ast);
    const nodes = nodesOf(program.ast);
    this.readsChanges = nodes.some(({ op, args }) => op === 'id' && args === 'changes');
    // Without it, an error does not show its place in the expression, which costs more than the error.
    for (const node of nodes) Object.defineProperty(node, 'input', { value: '' });
  }

  steps(event: EventEnvelope): number {
    return this.refused(event) ? 1 : this.cost.of(EventReading.of(event));
  }

  evaluate(event: EventEnvelope): FilterResult {
    const refused = this.refused(event);
    if (refused) return refused;
    const { stackTraceLimit } = Error;
    // An evaluation may catch an error for each item of a list, and a stack takes several times longer than an error.
    Error.stackTraceLimit = 0;
    try {
      const value: unknown = this.program(EventReading.of(event).variables);
      if (typeof value !== 'boolean') return unevaluated('failed', 'the result is not a boolean');
      return { matches: value, error: null, reason: null };
    } catch (error) {
      if (error instanceof EvaluationError) return unevaluated('failed', shown(error.summary));
      return unevaluated('failed', error instanceof Error ? error.message : 'the evaluation failed');
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }

  /** Returns the result for an event that the filter is not evaluated for; null for every other event. */
  private refused(event: EventEnvelope): FilterResult | null {
    if (this.readsChanges && event.changes?.omitted) {
      return unevaluated('changes_omitted', 'the changed values did not fit into the event');
    }
    if (this.cost.of(EventReading.of(event)) > MOST_STEPS) {
      return unevaluated('event_cost', 'the filter costs too much for the lists of this event');
    }
    return null;
  }
}

/** Returns a message with the names that a filter has. */
function shown(message: string): string {
  return message.replaceAll(MATCHES, 'matches');
}

/** An audit trail may have an event too many, and must not lose one. */
function unevaluated(reason: UnevaluatedReason, error: string): FilterResult {
  return { matches: true, error, reason };
}
