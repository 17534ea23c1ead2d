import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { RELEASE } from './version.js';

test('the release is the version in package.json', () => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  expect(RELEASE).toBe(z.object({ version: z.string() }).parse(JSON.parse(text)).version);
});
