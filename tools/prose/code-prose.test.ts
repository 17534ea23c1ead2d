import { expect, it } from 'vitest';
import { codeProse } from './code-prose.js';

const CODE = `import { a } from './a.js';
/**
 * Waits for a turn.
 * @param now returns a time
 */
function wait(now) {
  // Not for long.
  throw new Error('There is no such turn');
}
const query = sql\`select it from one table\`;
const label = <p>No event waits for it.</p>;
`;

it('returns comments, sentences in literals and texts of JSX, each in its line', () => {
  const lines = codeProse(CODE, 'a.tsx').split('\n');
  expect(lines.map((line, index) => [index + 1, line] as const).filter(([, line]) => line !== '')).toEqual([
    [3, 'Waits for a turn.'],
    [4, '. now returns a time'],
    [7, 'Not for long.'],
    [8, 'There is no such turn.'],
    [11, 'No event waits for it.'],
  ]);
});
