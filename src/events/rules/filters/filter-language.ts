import { Environment, type ASTNode } from '@marcbachmann/cel-js';
import { LRUCache } from 'lru-cache';
import {
  expandedLength,
  linearPattern,
  LONGEST_MATCHED_TEXT,
  patternError,
} from '../../resource-types/schemas/linear-pattern.js';
import { iterating } from './syntax-tree.js';

/** Longest filter, in characters. */
export const LONGEST_FILTER = 1_000;
/** Longest text that a filter looks for within another one, in characters: a search may compare it at each position. */
const LONGEST_SOUGHT = 100;
/** Longest pattern after expansion of its counted repetitions. */
const LONGEST_EXPANDED = 100;
/** Compiled patterns that are kept. */
const KEPT_PATTERNS = 1_000;

/** The members of an event that a filter may read. The number of a delivery is given after the filter. */
export const filterVariables = [
  'event_id',
  'event_type',
  'event_timestamp',
  'occurred_at',
  'account_id',
  'resource_id',
  'principal',
  'repaired',
  'version',
  'object',
  'changes',
  'request',
] as const;

/** Name of the function that `matches` of a filter calls: the one of the library takes exponential time. */
export const MATCHES = 'matchesPattern';

const functions: ReadonlySet<string> = new Set([
  'has',
  'size',
  'dyn',
  'int',
  'double',
  'string',
  'bool',
  'timestamp',
  'duration',
]);

/** The methods that a filter may call, with the number of their arguments. */
const methods: ReadonlyMap<string, number> = new Map([
  ...[...iterating].map((name) => [name, 2] as const),
  ['size', 0],
  ['startsWith', 1],
  ['endsWith', 1],
  ['contains', 1],
  ['matches', 1],
  ['lowerAscii', 0],
  ['upperAscii', 0],
  ['trim', 0],
  ...['getFullYear', 'getMonth', 'getDate', 'getDayOfWeek', 'getHours', 'getMinutes', 'getSeconds'].map(
    (name) => [name, 0] as const,
  ),
]);

const patterns = new LRUCache<string, { test(text: string): boolean }>({ max: KEPT_PATTERNS });

function matches(text: string, pattern: string): boolean {
  if (text.length > LONGEST_MATCHED_TEXT) throw new Error(`matches: the text is longer than ${LONGEST_MATCHED_TEXT}`);
  let compiled = patterns.get(pattern);
  if (!compiled) {
    compiled = linearPattern(pattern);
    patterns.set(pattern, compiled);
  }
  return compiled.test(text);
}

/** Returns an environment of CEL without variables, within the limits of a filter. */
export function baseEnvironment(): Environment {
  return new Environment({
    homogeneousAggregateLiterals: false,
    limits: { maxAstNodes: 250, maxDepth: 24, maxListElements: 100, maxMapEntries: 0, maxCallArguments: 4 },
  }).registerFunction(`string.${MATCHES}(string): bool`, { handler: matches, async: false });
}

/**
 * Returns why a call is refused; null when it is not. Only functions are allowed whose cost is bounded: those that make
 * lists or texts from others are not.
 */
export function callError(node: ASTNode): string | null {
  if (node.op === 'call') {
    const [name, args] = node.args;
    if (!functions.has(name)) return `there is no function ${name}`;
    if (name === 'duration' && args[0]?.op !== 'value') return 'the argument of duration must be a literal';
  }
  return node.op === 'rcall' ? methodError(node.args[0], node.args[2]) : null;
}

function methodError(name: string, args: readonly ASTNode[]): string | null {
  const count = methods.get(name);
  if (count === undefined) return `there is no method ${name}`;
  if (args.length !== count) return `${name} has ${count} argument${count === 1 ? '' : 's'}`;
  const [first] = args;
  const literal = first?.op === 'value' && typeof first.args === 'string' ? first.args : null;
  if (name === 'contains' && (literal === null || literal.length > LONGEST_SOUGHT)) {
    return `the argument of contains must be a literal of at most ${LONGEST_SOUGHT} characters`;
  }
  if (name !== 'matches') return null;
  if (literal === null) return 'the pattern of matches must be a literal';
  const error = patternError(literal);
  if (error !== null) return `the pattern of matches ${error}`;
  if (expandedLength(literal) <= LONGEST_EXPANDED) return null;
  return `the pattern of matches must not be longer than ${LONGEST_EXPANDED} characters after expansion`;
}

/** Makes a call of `matches` one that takes linear time. */
export function withLinearMatches(node: ASTNode): void {
  if (node.op === 'rcall' && node.args[0] === 'matches') node.args[0] = MATCHES;
}
