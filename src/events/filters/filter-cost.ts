import type { ASTNode } from '@marcbachmann/cel-js';
import { childrenOf, iterationOf } from './syntax-tree.js';

/** What the cost of an evaluation depends on. */
export interface EventMeasure {
  /** About the length of the event as JSON. */
  readonly length: number;
  /** Entries of its largest list or object. */
  readonly largest: number;
}

/** Steps of a node, for each value that it is evaluated for. */
interface Steps {
  readonly fixed: number;
  /** For each character of the event. */
  readonly perCharacter: number;
}

/** A pattern of 100 states is matched with at most 4,096 characters. */
const MATCHING: Steps = { fixed: 5_000, perCharacter: 0 };
/** Reads a text. */
const READING: Steps = { fixed: 1, perCharacter: 1 / 1_000 };
/** Looks for a text within another one: at worst, it is compared at each position. */
const SEARCHING: Steps = { fixed: 1, perCharacter: 1 / 20 };
/** Compares two values of the event, member by member. */
const COMPARING: Steps = { fixed: 1, perCharacter: 1 / 20 };
const PLAIN: Steps = { fixed: 1, perCharacter: 0 };

/** Functions that read a text as a whole. */
const readers: ReadonlySet<string> = new Set([
  'size',
  'startsWith',
  'endsWith',
  'lowerAscii',
  'upperAscii',
  'trim',
  'string',
  'double',
]);

/** The cost of a filter, in steps: most take about 20 ns, and the slowest ones 130 ns. */
export class FilterCost {
  /** The steps by the number of macros around the node. */
  private readonly levels: { fixed: number; perCharacter: number }[] = [];

  constructor(root: ASTNode) {
    this.add(root, 0);
  }

  /** Returns the most steps that an evaluation takes. */
  of({ length, largest }: EventMeasure): number {
    return this.levels.reduce(
      (sum, { fixed, perCharacter }, level) => sum + (fixed + perCharacter * length) * Math.max(1, largest) ** level,
      0,
    );
  }

  private add(node: ASTNode, level: number): void {
    const steps = stepsOf(node);
    const total = (this.levels[level] ??= { fixed: 0, perCharacter: 0 });
    total.fixed += steps.fixed;
    total.perCharacter += steps.perCharacter;
    const iteration = iterationOf(node);
    if (iteration) {
      this.add(iteration.range, level);
      this.add(iteration.predicate, level + 1);
    } else {
      for (const child of childrenOf(node)) this.add(child, level);
    }
  }
}

function stepsOf(node: ASTNode): Steps {
  switch (node.op) {
    case 'call':
    case 'rcall':
      if (node.args[0] === 'matchesPattern') return MATCHING;
      if (node.args[0] === 'contains') return SEARCHING;
      return readers.has(node.args[0]) ? READING : PLAIN;
    case '==':
    case '!=':
      return node.args.some(isLiteral) ? PLAIN : COMPARING;
    case 'in':
      return isLiteral(node.args[1]) ? { fixed: 1 + sizeOf(node.args[1]), perCharacter: 0 } : COMPARING;
    case '+':
      return READING;
    default:
      return PLAIN;
  }
}

function isLiteral(node: ASTNode): boolean {
  return node.op === 'value' || (node.op === 'list' && node.args.every(isLiteral));
}

function sizeOf(node: ASTNode): number {
  return node.op === 'list' ? node.args.length : 1;
}

/** Returns the measure of a value of JSON. */
export function measureOf(value: unknown): EventMeasure {
  let length = 0;
  let largest = 0;
  const rest: unknown[] = [value];
  while (rest.length > 0) {
    const next = rest.pop();
    length += typeof next === 'string' ? next.length + 3 : 6;
    if (typeof next !== 'object' || next === null) continue;
    const names = Array.isArray(next) ? [] : Object.keys(next);
    for (const name of names) length += name.length + 3;
    const items: readonly unknown[] = Object.values(next);
    largest = Math.max(largest, items.length);
    rest.push(...items);
  }
  return { length, largest };
}
