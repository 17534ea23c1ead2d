import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DeliveringApi } from '../support/delivering-api.js';
import { errorsIn } from './compile.js';

const root = path.resolve(import.meta.dirname, '../..');
const readme = await readFile(path.join(root, 'packages/client/README.md'), 'utf8');
const [quickstart = '', ...others] = [...readme.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);

/** The imports and the client of the first example, with which the others continue. */
const prelude = quickstart.slice(0, quickstart.indexOf('const policy'));
const examples = [quickstart, ...others.map((code) => `${prelude}${code}`)];

let folder: string;
let delivering: DeliveringApi;
beforeAll(async () => {
  // Below the tests, so that imports are resolved as there.
  folder = await mkdtemp(path.join(import.meta.dirname, '.examples-'));
  delivering = await DeliveringApi.start();
});
afterAll(async () => {
  await delivering.close();
  await rm(folder, { recursive: true });
});

describe('the examples of the README', () => {
  it('are correct for the compiler, and run', { timeout: 600_000 }, async () => {
    expect(examples.length).toBeGreaterThan(6);
    const files = await Promise.all(
      examples.map(async (code, index) => {
        const file = path.join(folder, `example-${index + 1}.ts`);
        await writeFile(file, code);
        return file;
      }),
    );
    expect(errorsIn(files)).toEqual([]);

    vi.stubEnv('WAYBILL_URL', delivering.api.baseUrl);
    vi.stubEnv('WAYBILL_API_KEY', delivering.api.admin.token ?? '');
    const logged = vi.spyOn(console, 'log').mockImplementation(() => {});
    const complained = vi.spyOn(console, 'error').mockImplementation(() => {});
    try {
      for (const file of files) await import(/* @vite-ignore */ file);
      // The example of errors shows one.
      expect(complained.mock.calls).toEqual([['invalid_input', '/name', expect.any(String)]]);
      expect(logged.mock.calls.length).toBeGreaterThan(4);
    } finally {
      logged.mockRestore();
      complained.mockRestore();
    }
  });
});
