import { RE2JS, RE2Set } from 're2js';
import type { TextBudget } from './text-budget.js';

/** A compiled pattern, as ajv uses it. */
interface Pattern {
  test(text: string): boolean;
  toString(): string;
}

/** Longest text that a pattern matches, in characters. A longer one does not match. */
export const LONGEST_MATCHED_TEXT = 4_096;
/** Most memory for the states of a pattern, in bytes. Without a bound, 50 patterns take 400 MB. */
export const PATTERN_BYTES = 65_536;
/** Longest pattern, in characters. */
const LONGEST_PATTERN = 250;
/** Longest pattern after expansion of its counted repetitions: a compiler expands them. */
const LONGEST_EXPANDED = 1_000;
/** A Unicode class has hundreds of ranges. */
const UNICODE_CLASS = 50;

/**
 * Compiles a pattern of a schema for matching in linear time. The engine is RE2: it has no look-around and no
 * back-references.
 * @param budget counts what the pattern reads; null: nothing does
 * @throws Error when the pattern has another syntax
 */
export function linearPattern(pattern: string, budget: Pick<TextBudget, 'spend'> | null = null): Pattern {
  const set = new RE2Set(RE2Set.UNANCHORED, 0, PATTERN_BYTES);
  set.add(RE2JS.translateRegExp(pattern));
  set.compile();
  const weight = matchWeight(pattern);
  return {
    test: (text) => {
      if (text.length > LONGEST_MATCHED_TEXT) return false;
      budget?.spend(text.length, weight);
      return set.match(text).length > 0;
    },
    toString: () => `/${pattern}/`,
  };
}

/** Returns why a pattern is refused; null when it is not. Compiles it only when it is short. */
export function patternError(pattern: string): string | null {
  if (pattern.length > LONGEST_PATTERN) return `must not be longer than ${LONGEST_PATTERN} characters`;
  if (expandedLength(pattern) > LONGEST_EXPANDED)
    return `must not be longer than ${LONGEST_EXPANDED} characters after expansion of its repetitions`;
  try {
    // RE2 has flags within a pattern, JSON Schema has none.
    if (/\(\?[A-Za-z]*-?[A-Za-z]*[:)]/.test(pattern.replaceAll('(?:', '('))) throw new Error('flags');
    RegExp(pattern, 'u');
    RE2JS.compile(RE2JS.translateRegExp(pattern));
    return null;
  } catch {
    return 'must be a regular expression of ECMAScript that RE2 can match too: without look-around, back-references and flags';
  }
}

/** Returns an upper bound for the length of a pattern after expansion of its counted repetitions. */
export function expandedLength(pattern: string): number {
  return lengthOf(pattern, { unicodeClass: UNICODE_CLASS, operator: 1 });
}

/**
 * Returns the work for each character of a text: the number of places in the pattern that a match may be at, at once.
 * With `^` and without alternatives and open repetitions, it is at one.
 */
export function matchWeight(pattern: string): number {
  const withoutClasses = pattern.replaceAll(/\\[^]|\[(?:\\[^]|[^\]\\])*\]/g, 'x');
  return /^\^[^*+?|,]*$/.test(withoutClasses) ? 1 : Math.max(1, lengthOf(pattern, { unicodeClass: 1, operator: 0 }));
}

/** What counts in the length of a pattern, beside its characters and classes. */
interface Counted {
  /** Length of a Unicode class. */
  readonly unicodeClass: number;
  /** Length of an operator, such as `*`. A group has two. */
  readonly operator: number;
}

function lengthOf(pattern: string, { unicodeClass, operator }: Counted): number {
  const groups = [0];
  let last = 0;
  const add = (length: number) => {
    last = length;
    groups.push((groups.pop() ?? 0) + length);
  };
  for (let index = 0; index < pattern.length; index += 1) {
    const rest = pattern.slice(index);
    const [token = ''] = /^(?:\\p\{[^}]*\}|\\[^]|\[(?:\\[^]|[^\]\\])*\]|\{\d+(?:,\d*)?\}|[^])/i.exec(rest) ?? [];
    index += token.length - 1;
    if (token === '(') groups.push(0);
    else if (token === ')' && groups.length > 1) add((groups.pop() ?? 0) + 2 * operator);
    else if (/^\{\d/.test(token)) {
      const [least = 0, most = 0] = (token.match(/\d+/g) ?? []).map(Number);
      const repeated = last * Math.max(least, most, 1);
      groups.push((groups.pop() ?? 0) + repeated - last);
      last = repeated;
    } else if (/^(?:\\p|\[.*\\p)/i.test(token)) add(unicodeClass * (token.match(/\\p/gi)?.length ?? 1));
    else add(/^[$*+?^|]$/.test(token) ? operator : 1);
  }
  return groups.reduce((sum, length) => sum + length, 0);
}
