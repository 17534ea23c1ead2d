import path from 'node:path';
import { expect, it } from 'vitest';
import { hasPython, runPython } from '../support/python.js';

const root = path.resolve(import.meta.dirname, '../..');
const isInstalled = await hasPython('cryptography');

it.skipIf(!isInstalled)('examples/verify.py agrees with @waybill/verify on each vector of docs/proof.md', async () => {
  const args = ['examples/verify.py', '--vectors', 'docs/proof-vectors.json'].map((arg) =>
    arg.startsWith('-') ? arg : path.join(root, arg),
  );
  expect(await runPython(args, '')).toMatch(/^(\d+) of \1 vectors agree\.\n$/);
});
