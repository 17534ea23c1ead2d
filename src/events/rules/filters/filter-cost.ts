import type { ASTNode } from '@marcbachmann/cel-js';
import { LONGEST_MATCHED_TEXT, matchWeight } from '../../resource-types/schemas/linear-pattern.js';
import { catchesErrors, childrenOf, iterationOf, type Iteration } from './syntax-tree.js';

/** What the cost of an evaluation depends on. */
export interface EventMeasure {
  /** About the length of the event as JSON. */
  readonly length: number;
  /** Entries of its largest list or object. */
  readonly largest: number;
  /** Length of its longest text. */
  readonly longestText: number;
}

/** Steps of a node, for each value that it is evaluated for. */
interface Steps {
  readonly fixed: number;
  /** For each character of the event. */
  readonly perCharacter: number;
  /** For each character of a text that is matched. */
  readonly perMatched?: number;
}

/** Matches a pattern, besides what it reads. */
const MATCHING = 500;
/** Steps of a character that a pattern reads, for each place in the pattern that a match may be at. */
const MATCHED = 1 / 2;
/** Reads a text. */
const READING: Steps = { fixed: 3, perCharacter: 1 / 1_000 };
/** Looks for a text within another one: at worst, it is compared at each position. */
const SEARCHING: Steps = { fixed: 3, perCharacter: 1 / 20 };
/** Counts the characters of a text. */
const COUNTING: Steps = { fixed: 3, perCharacter: 1 / 10 };
/** Compares two values of the event, member by member. */
const COMPARING: Steps = { fixed: 3, perCharacter: 1 / 20 };
/** Copies two lists, or the texts that are joined when they are read. */
const JOINING: Steps = { fixed: 3, perCharacter: 1 / 100 };
/** Finds out the types of its operands. */
const OPERATION: Steps = { fixed: 3, perCharacter: 0 };
const PLAIN: Steps = { fixed: 1, perCharacter: 0 };
/** Compares an item of a list that `in` searches, besides what its characters take. */
const ITEM: Steps = { fixed: 1, perCharacter: 0 };
/** An error that is made and caught, without its stack. */
const FAILURE: Steps = { fixed: 30, perCharacter: 0 };

/** Functions that read a text as a whole. */
const readers: ReadonlySet<string> = new Set([
  'startsWith',
  'endsWith',
  'lowerAscii',
  'upperAscii',
  'trim',
  'string',
  'double',
]);

/** What is around a node. */
interface Around {
  /** Number of macros. */
  readonly level: number;
  /** How often their lists together are larger than the largest one of the event. */
  readonly times: number;
  /** The sizes of the variables of macros. */
  readonly sizes: ReadonlyMap<string, number>;
}

/** Returns what is around a node that is evaluated for each item of a list. */
function withinList(around: Around, size: number): Around {
  return { ...around, level: around.level + 1, times: around.times * size };
}

/**
 * The cost of a filter, in steps: most take about 20 ns, and the slowest ones 130 ns.
 *
 * A value that the filter makes may be larger than the event: `+` joins lists and texts. The size of a value is how
 * often the event, or the longest literal, has to be joined to be as large.
 */
export class FilterCost {
  /** The steps by the number of macros around the node. */
  private readonly levels: { fixed: number; perCharacter: number; perMatched: number }[] = [];
  /** Items of the longest list of the filter. */
  private items = 1;
  /** Characters of all its literal texts. */
  private characters = 0;

  constructor(root: ASTNode) {
    this.add(root, { level: 0, times: 1, sizes: new Map() });
  }

  /** Returns the most steps that an evaluation takes. */
  of({ length, largest, longestText }: EventMeasure): number {
    const characters = Math.max(length, this.characters);
    const matched = Math.min(Math.max(longestText, this.characters), LONGEST_MATCHED_TEXT);
    const items = Math.max(largest, this.items);
    return this.levels.reduce(
      (steps, { fixed, perCharacter, perMatched }, level) =>
        steps + (fixed + perCharacter * characters + perMatched * matched) * items ** level,
      0,
    );
  }

  /** Adds the steps of a node. Returns the size of its value, at most. */
  private add(node: ASTNode, around: Around): number {
    const iteration = iterationOf(node);
    if (iteration) return this.addIteration(iteration, around);
    const sizes = childrenOf(node).map((child) => this.add(child, around));
    const size = this.sizeOf(node, sizes, around);
    this.charge(stepsOf(node), around, Math.max(size, ...sizes));
    if (node.op === 'in' && !isLiteral(node.args[1])) this.charge(ITEM, withinList(around, size));
    if (catchesErrors(node)) this.charge(FAILURE, around);
    return size;
  }

  private addIteration({ range, variable, predicate, node }: Iteration, around: Around): number {
    const size = this.add(range, around);
    this.charge(OPERATION, around);
    const sizes = variable.op === 'id' ? new Map([...around.sizes, [variable.args, size]]) : around.sizes;
    const within = { ...withinList(around, size), sizes };
    this.add(predicate, within);
    if (catchesErrors(node)) this.charge(FAILURE, within);
    return size;
  }

  private charge({ fixed, perCharacter, perMatched = 0 }: Steps, { level, times }: Around, size = 1): void {
    const total = (this.levels[level] ??= { fixed: 0, perCharacter: 0, perMatched: 0 });
    total.fixed += fixed * times;
    total.perCharacter += perCharacter * times * size;
    // Joined texts may be as long as a text that is matched can be.
    if (size > 1) total.fixed += perMatched * times * LONGEST_MATCHED_TEXT;
    else total.perMatched += perMatched * times;
  }

  /** @param sizes of the operands */
  private sizeOf(node: ASTNode, sizes: readonly number[], { sizes: variables }: Around): number {
    const largest = Math.max(1, ...sizes);
    switch (node.op) {
      case 'id':
        return variables.get(node.args) ?? 1;
      case 'value':
        if (typeof node.args === 'string') this.characters += node.args.length;
        return 1;
      case 'list':
        this.items = Math.max(this.items, node.args.length);
        return isLiteral(node) ? 1 : Math.max(1, sum(sizes));
      case '+':
        return isSmall(node) ? 1 : sum(sizes);
      default:
        return largest;
    }
  }
}

function stepsOf(node: ASTNode): Steps {
  switch (node.op) {
    case 'call':
    case 'rcall':
      if (node.args[0] === 'matchesPattern') return matching(node);
      if (node.args[0] === 'contains') return SEARCHING;
      if (node.args[0] === 'size') return COUNTING;
      return readers.has(node.args[0]) ? READING : OPERATION;
    case '==':
    case '!=':
      return comparing(node.args.find(isLiteral));
    case 'in': {
      const [sought, list] = node.args;
      if (isLiteral(list)) return comparing(list);
      return sought.op === 'value' ? OPERATION : COMPARING;
    }
    case '+':
      return isSmall(node) ? OPERATION : JOINING;
    case '<':
    case '<=':
    case '>':
    case '>=':
      return node.args.some((operand) => isLiteral(operand) || isSmall(operand)) ? OPERATION : READING;
    case '-':
    case '*':
    case '/':
    case '%':
      return OPERATION;
    default:
      return PLAIN;
  }
}

function matching(node: ASTNode): Steps {
  const pattern = childrenOf(node)[1]?.args;
  const weight = typeof pattern === 'string' ? matchWeight(pattern) : 0;
  return { fixed: MATCHING, perCharacter: 0, perMatched: weight * MATCHED };
}

/** Returns the steps of a comparison with a literal; undefined: of two values of the event. */
function comparing(literal: ASTNode | undefined): Steps {
  return literal ? { fixed: OPERATION.fixed + literalsIn(literal), perCharacter: 0 } : COMPARING;
}

function isLiteral(node: ASTNode): boolean {
  return node.op === 'value' || (node.op === 'list' && node.args.every(isLiteral));
}

function literalsIn(node: ASTNode): number {
  return node.op === 'list' ? sum(node.args.map(literalsIn)) : 1;
}

/** Functions whose results are numbers and times. */
const measuring: ReadonlySet<string> = new Set(['int', 'double', 'size', 'timestamp', 'duration']);

/** Whether a value can only be a number, a time or a duration. What `+` adds to such a value is one too. */
function isSmall(node: ASTNode): boolean {
  switch (node.op) {
    case 'value':
      return typeof node.args === 'number' || typeof node.args === 'bigint';
    case 'call':
      return measuring.has(node.args[0]);
    case 'rcall':
      return node.args[0] === 'size' || node.args[0].startsWith('get');
    case '-':
    case '*':
    case '/':
    case '%':
    case '-_':
      return true;
    case '+':
      return node.args.some(isSmall);
    default:
      return false;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
