import type { TextPosition } from '../../../problems/problem.js';

/** A filter that is refused. The message begins with the position. */
export class FilterError extends Error {
  override readonly name = 'FilterError';
  readonly position: TextPosition;

  /**
   * @param reason a phrase without the position
   * @param offset UTF-16 units of the expression before the error
   */
  constructor(
    readonly reason: string,
    expression: string,
    offset: number,
  ) {
    const position = positionOf(expression, offset);
    super(`line ${position.line}, column ${position.column}: ${reason}`);
    this.position = position;
  }
}

function positionOf(expression: string, offset: number): TextPosition {
  const before = expression.slice(0, offset);
  const lines = before.split('\n');
  const inLine = lines.at(-1) ?? '';
  return { offset: Array.from(before).length, line: lines.length, column: Array.from(inLine).length + 1 };
}
