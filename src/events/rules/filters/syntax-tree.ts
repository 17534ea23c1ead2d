import type { ASTNode } from '@marcbachmann/cel-js';

/** The macros that run a predicate for each item of a list, or each key of a map. */
export const iterating: ReadonlySet<string> = new Set(['all', 'exists', 'exists_one', 'filter']);

/** A macro that iterates, in parts. */
export interface Iteration {
  /** The macro itself. */
  readonly node: ASTNode;
  readonly range: ASTNode;
  readonly variable: ASTNode;
  readonly predicate: ASTNode;
}

/** Returns the parts of a macro that iterates; null for every other node. */
export function iterationOf(node: ASTNode): Iteration | null {
  if (node.op !== 'rcall' || !iterating.has(node.args[0])) return null;
  const [, range, [variable, predicate]] = node.args;
  return variable && predicate ? { node, range, variable, predicate } : null;
}

/** Whether a node continues after an error of an operand, or of a predicate for an item. */
export function catchesErrors(node: ASTNode): boolean {
  return node.op === '&&' || node.op === '||' || (node.op === 'rcall' && ['all', 'exists'].includes(node.args[0]));
}

/** Returns the operands of a node. */
export function childrenOf(node: ASTNode): readonly ASTNode[] {
  switch (node.op) {
    case 'value':
    case 'id':
      return [];
    case '.':
    case '.?':
      return [node.args[0]];
    case 'call':
      return node.args[1];
    case 'rcall':
      return [node.args[1], ...node.args[2]];
    case 'map':
      return node.args.flat();
    case '!_':
    case '-_':
      return [node.args];
    default:
      return node.args;
  }
}

/** Returns a node with all nodes below it. */
export function nodesOf(node: ASTNode): readonly ASTNode[] {
  return [node, ...childrenOf(node).flatMap(nodesOf)];
}
