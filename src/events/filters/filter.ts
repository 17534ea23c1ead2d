import { EvaluationError, ParseError, TypeError, type Environment, type ParseResult } from '@marcbachmann/cel-js';
import type { EventEnvelope } from '../event-envelope.js';
import { FilterCost, measureOf, type EventMeasure } from './filter-cost.js';
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
/** Steps that cost less than to measure an event. */
const FEW_STEPS = 1_000;
/** The event for which a filter is checked when it is saved. */
const USUAL_EVENT = { length: 8_192, largest: 50 };
/** Length of the longest event. */
const LONGEST_EVENT = 65_536;

/** The result of an evaluation. */
export interface FilterResult {
  readonly matches: boolean;
  /** Why the filter could not be evaluated for the event: it matches then. Null otherwise. */
  readonly error: string | null;
}

/** A compiled filter. */
export interface EventFilter {
  /** Whether an event matches. One for which the filter cannot be evaluated matches: no event is lost by an error. */
  matches(event: EventEnvelope): boolean;
  /** As `matches`, with the error. */
  evaluate(event: EventEnvelope): FilterResult;
  /** Returns the most steps that `matches` takes for an event (FilterCost). */
  steps(event: EventEnvelope): number;
}

/** The measures of events that several filters are evaluated for. */
const measures = new WeakMap<EventEnvelope, EventMeasure>();

const anyEvent = filterVariables.reduce((made, name) => made.registerVariable(name, 'dyn'), baseEnvironment());

/**
 * Compiles a filter: an expression in CEL over the payload of an event, such as `object.action == "deny"`
 * (docs/filters.md).
 * @throws FilterError with the position, for an expression that is too long, not CEL, or not a condition, or that costs
 * too much
 */
export function compileFilter(expression: string): EventFilter {
  return new CompiledFilter(parseFilter(expression, anyEvent));
}

/**
 * Parses and checks a filter in an environment.
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
  if (new FilterCost(parsed.ast).of(USUAL_EVENT) > MOST_STEPS) {
    throw new FilterError(
      'the filter costs too much: use fewer macros within each other, or less matches',
      expression,
      0,
    );
  }
  return parsed;
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
  /** The steps for the longest event, where they are few enough: the event is not measured then. */
  private readonly mostSteps: number | null;
  private readonly readsChanges: boolean;

  constructor(private readonly program: ParseResult) {
    this.cost = new FilterCost(program.ast);
    const most = this.cost.of({ length: LONGEST_EVENT, largest: LONGEST_EVENT });
    this.mostSteps = most <= FEW_STEPS ? most : null;
    this.readsChanges = nodesOf(program.ast).some(({ op, args }) => op === 'id' && args === 'changes');
  }

  matches(event: EventEnvelope): boolean {
    return this.evaluate(event).matches;
  }

  steps(event: EventEnvelope): number {
    if (this.mostSteps !== null) return this.mostSteps;
    let measure = measures.get(event);
    if (!measure) {
      measure = measureOf(event);
      measures.set(event, measure);
    }
    return this.cost.of(measure);
  }

  evaluate(event: EventEnvelope): FilterResult {
    if (this.readsChanges && event.changes?.omitted) {
      return unevaluated('the changed values did not fit into the event');
    }
    if (this.steps(event) > MOST_STEPS) {
      return unevaluated('the filter costs too much for the lists of this event');
    }
    try {
      const value: unknown = this.program(event);
      return typeof value === 'boolean' ? { matches: value, error: null } : unevaluated('the result is not a boolean');
    } catch (error) {
      if (error instanceof EvaluationError) return unevaluated(shown(error.summary));
      return unevaluated(error instanceof Error ? error.message : 'the evaluation failed');
    }
  }
}

/** Returns a message with the names that a filter has. */
function shown(message: string): string {
  return message.replaceAll(MATCHES, 'matches');
}

/** An audit trail may have an event too many, and must not lose one. */
function unevaluated(error: string): FilterResult {
  return { matches: true, error };
}
