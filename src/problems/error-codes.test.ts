import { expect, test } from 'vitest';
import { errorCodes } from './error-codes.js';

test('every code is in snake case and has a meaning', () => {
  for (const [code, { status, title, meaning }] of Object.entries(errorCodes)) {
    expect(code).toMatch(/^[a-z]+(?:_[a-z]+)*$/);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(title).not.toMatch(/\.$/);
    expect(meaning).toMatch(/\.$/);
  }
});
