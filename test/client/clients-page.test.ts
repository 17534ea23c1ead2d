import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { startTestApi, type TestApi } from '../support/test-api.js';
import { errorsIn } from './compile.js';

const root = path.resolve(import.meta.dirname, '../..');
const page = await readFile(path.join(root, 'docs/clients.md'), 'utf8');
const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);

/** Returns the example that imports this. */
function exampleWith(imported: string): string {
  const [found, ...others] = examples.filter((code) => code.includes(`from '${imported}'`));
  if (found === undefined || others.length > 0) throw new Error(`Not one example of docs/clients.md has ${imported}.`);
  return found;
}

let folder: string;
let api: TestApi;
beforeAll(async () => {
  // Below the tests, so that imports are resolved as there.
  folder = await mkdtemp(path.join(import.meta.dirname, '.clients-'));
  api = await startTestApi();
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await api.close();
  await rm(folder, { recursive: true });
});

describe('the examples of docs/clients.md', () => {
  it('for Hey API compile with the client that it generates, and run', { timeout: 240_000 }, async () => {
    await createClient({
      input: path.join(root, 'openapi.json'),
      output: { path: path.join(folder, 'waybill'), module: { extension: '.js' } },
      plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
      logs: { level: 'silent', file: false },
    });
    const code = exampleWith('./waybill/client.gen.js');
    const file = path.join(folder, 'hey-api.ts');
    await writeFile(file, `${code.replace('http://localhost:4700', api.baseUrl)}\nexport { data, error };\n`);
    expect(errorsIn([file], ['DOM'])).toEqual([]);
    vi.stubEnv('WAYBILL_API_KEY', api.admin.token ?? '');
    const { data, error } = (await import(/* @vite-ignore */ file)) as { data: unknown; error: unknown };
    expect(error).toBeUndefined();
    expect(data).toMatchObject({ description: 'office' });
  });

  it('for events compile with the client', { timeout: 240_000 }, async () => {
    const file = path.join(folder, 'events.ts');
    await writeFile(file, exampleWith('@waybill/client'));
    expect(errorsIn([file])).toEqual([]);
    const line = {
      event_type: 'ip_policy_updated.v0',
      epoch: 1,
      sequence: 7,
      changes: { after: { description: 'x' } },
    };
    const { describeLine } = (await import(/* @vite-ignore */ file)) as { describeLine: (line: string) => string };
    expect(describeLine(JSON.stringify(line))).toBe('7: the description is now x');
    expect(describeLine(JSON.stringify({ ...line, event_type: 'order_created.v0' }))).toBe('7: order_created.v0');
  });
});
