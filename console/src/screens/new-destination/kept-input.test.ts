import { expect, it } from 'vitest';
import { noInput, readInput, type Input } from './kept-input.js';

it('reads what was kept', () => {
  const input: Input = {
    draft: { kind: 'monitoring', auth: 'creds', values: { service: 'audit' } },
    description: 'Security lake',
    types: [{ type: 'a.v0', filter: 'true', isChecked: true }],
    tested: { verdict: 'delivered', etag: '"1"' },
  };
  expect(readInput(JSON.parse(JSON.stringify(input)))).toEqual(input);
});

it.each([
  null,
  'text',
  { draft: { kind: 'other', values: { a: 1 } }, description: 2, types: [null, { type: 1 }], tested: { verdict: 'x' } },
])('leaves out of %j what does not fit', (kept) => {
  expect(readInput(kept)).toEqual(noInput);
});
