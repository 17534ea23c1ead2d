import type { ASTNode } from '@marcbachmann/cel-js';
import { FilterError } from './filter-error.js';
import { assertAffordable, parseFilter } from './filter.js';
import { PayloadTypes } from './payload-types.js';
import { childrenOf, iterationOf } from './syntax-tree.js';

/**
 * Checks a filter against the JSON Schema of the payload that it will read.
 * @throws FilterError with the position, as `compileFilter`, and for a member that no event has, and for an operation
 * that the type of a member does not have
 */
export function checkFilter(expression: string, schema: Readonly<Record<string, unknown>>): void {
  const types = new PayloadTypes(schema);
  const program = parseFilter(expression, types.environment);
  assertAffordable(program, expression);
  for (const asked of membersAskedFor(program.ast, new Set())) {
    const unknown = types.unknownMember(asked.path);
    if (unknown !== null) throw new FilterError(`there is no member ${unknown}`, expression, asked.node.pos);
  }
}

/** A member that `has` asks for: the library does not check it. */
interface AskedMember {
  readonly node: ASTNode;
  readonly path: readonly string[];
}

/** @param shadowed names that are variables of a macro here */
function membersAskedFor(node: ASTNode, shadowed: ReadonlySet<string>): readonly AskedMember[] {
  const iteration = iterationOf(node);
  if (iteration) {
    const { range, variable, predicate } = iteration;
    const inner = variable.op === 'id' ? new Set([...shadowed, variable.args]) : shadowed;
    return [...membersAskedFor(range, shadowed), ...membersAskedFor(predicate, inner)];
  }
  const below = childrenOf(node).flatMap((child) => membersAskedFor(child, shadowed));
  const [argument] = node.op === 'call' && node.args[0] === 'has' ? node.args[1] : [];
  const path = argument && pathOf(argument);
  return path?.[0] !== undefined && !shadowed.has(path[0]) ? [{ node: argument ?? node, path }, ...below] : below;
}

/** Returns the names from a variable to a member; null for another expression. */
function pathOf(node: ASTNode): readonly string[] | null {
  if (node.op === 'id') return [node.args];
  if (node.op !== '.') return null;
  const path = pathOf(node.args[0]);
  return path && [...path, node.args[1]];
}
