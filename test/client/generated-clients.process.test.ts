import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import openapiTypes, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { DeliveringApi } from '../support/delivering-api.js';
import { canRun, hasPython, runPython } from '../support/python.js';
import { VALUES, type Setting } from './calls/setting.js';
import { errorsIn } from './compile.js';

const run = promisify(execFile);
const root = path.resolve(import.meta.dirname, '../..');
const calls = path.join(import.meta.dirname, 'calls');
const document = path.join(root, 'docs/openapi.json');
const page = await readFile(path.join(root, 'docs/clients.md'), 'utf8');
const examples = [...page.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = '']) => code);

/** Returns the example of docs/clients.md that imports this. */
function exampleWith(imported: string): string {
  const [found, ...others] = examples.filter((code) => code.includes(`from '${imported}'`));
  if (found === undefined || others.length > 0) throw new Error(`Not one example of docs/clients.md has ${imported}.`);
  return found;
}

/** The jar of openapi-generator, from Maven Central or a package. */
const jar = process.env['OPENAPI_GENERATOR_JAR'] ?? '';
const has = {
  pythonClient:
    (await canRun('openapi-python-client', 'openapi-python-client', ['--version'])) &&
    (await hasPython('attrs', 'httpx', 'dateutil')),
  generator:
    (await canRun('openapi-generator (OPENAPI_GENERATOR_JAR)', 'java', ['-jar', jar, 'version'])) &&
    (await hasPython('pydantic', 'urllib3', 'dateutil')),
};

let folder: string;
let delivering: DeliveringApi;
let setting: Setting;
beforeAll(async () => {
  // Below the tests, so that imports are resolved as there.
  folder = await mkdtemp(path.join(import.meta.dirname, '.clients-'));
  delivering = await DeliveringApi.start();
  const { admin, baseUrl } = delivering.api;
  const { path: destination, arn } = await delivering.destination();
  await admin.create('/ip_policies', { description: 'first' });
  await admin.create('/resource_types', { name: 'order' });
  await admin.post(`${destination}/test`, {});
  await delivering.ended(destination, 'delivered', 2);
  const arrived = delivering.arrivals(arn);
  setting = { url: baseUrl, key: admin.token ?? '', values: VALUES, lines: arrived };
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await delivering.close();
  await rm(folder, { recursive: true });
});

/** Expects the results of the calls of a generated client. */
function expectResults(results: unknown): void {
  const events = setting.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(events.map(({ event_type: type }) => type)).toEqual(['ip_policy_created.v0', 'event_destination_test.v0']);
  expect(results).toEqual({
    policy: ['office', 'second floor', '203.0.113.0/24', true],
    gone: [404, 'not_found'],
    bot: 'pipeline',
    roleAndKey: [VALUES.role_arn, VALUES.key_id],
    secrets: [null, null, null],
    others: [null, 'audit', null],
    listed: true,
    sources: ['bot_user_created.v0'],
    published: 1,
    event: 'office',
    schema: 'ip_policy_created.v0',
    arrived: events.map(({ event_type: type, resource_id: id, sequence, object }) => [
      type,
      id,
      sequence,
      (object as { description?: string }).description ?? null,
    ]),
  });
}

/** Writes the calls for a client into the folder of that client. */
async function callsOf(name: string): Promise<string> {
  const file = path.join(folder, `${name}-calls.ts`);
  await writeFile(file, await readFile(path.join(calls, `${name}.ts.txt`), 'utf8'));
  return file;
}

describe('a client of', () => {
  it('Hey API and one of openapi-typescript compile with the calls and the examples of the page', async () => {
    await createClient({
      input: document,
      output: { path: path.join(folder, 'waybill'), module: { extension: '.js' } },
      plugins: ['@hey-api/client-fetch', '@hey-api/sdk', '@hey-api/typescript'],
      logs: { level: 'silent', file: false },
    });
    const types = await openapiTypes(await readFile(document, 'utf8'));
    await writeFile(path.join(folder, 'waybill.d.ts'), astToString(types));
    const files = [await callsOf('hey-api'), await callsOf('openapi-fetch')];
    const withUrl = (code: string) => code.replaceAll('http://localhost:4700', setting.url);
    const pages = { 'hey-api.ts': './waybill/client.gen.js', 'openapi-fetch.ts': 'openapi-fetch' };
    for (const [name, imported] of Object.entries(pages)) {
      const file = path.join(folder, name);
      await writeFile(file, `${withUrl(exampleWith(imported))}\nexport { data, error };\n`);
      files.push(file);
    }
    const events = path.join(folder, 'events.ts');
    await writeFile(events, exampleWith('@waybill/client'));
    expect(errorsIn([...files, events], ['DOM'])).toEqual([]);
  });

  it.each(['hey-api', 'openapi-fetch'])('%s makes the calls', async (name) => {
    const { makeCalls } = (await import(/* @vite-ignore */ path.join(folder, `${name}-calls.ts`))) as {
      makeCalls: (of: Setting) => Promise<unknown>;
    };
    expectResults(await makeCalls(setting));
    vi.stubEnv('WAYBILL_API_KEY', setting.key);
    const example = (await import(/* @vite-ignore */ path.join(folder, `${name}.ts`))) as Record<string, unknown>;
    expect(example['error']).toBeUndefined();
    expect(example['data']).toMatchObject({ description: 'office' });
  });

  it.skipIf(!has.pythonClient)('openapi-python-client makes the calls', async () => {
    const output = path.join(folder, 'waybill_client');
    await run('openapi-python-client', ['generate', '--path', document, '--output-path', output, '--meta', 'none']);
    await expectPythonCalls('openapi-python-client', folder);
  });

  it.skipIf(!has.generator)('openapi-generator makes the calls', async () => {
    const output = path.join(folder, 'generator');
    await run('java', ['-jar', jar, 'generate', '-g', 'python', '-i', document, '-o', output], { maxBuffer: 2 ** 26 });
    await expectPythonCalls('openapi-generator', output);
  });
});

/** Makes the calls with a Python client. */
async function expectPythonCalls(name: string, modules: string): Promise<void> {
  const output = await runPython([path.join(calls, `${name}.py`)], setting.lines.join('\n'), {
    PYTHONPATH: modules,
    WAYBILL_URL: setting.url,
    WAYBILL_API_KEY: setting.key,
    VALUES: JSON.stringify(setting.values),
  });
  expectResults(JSON.parse(output));
}

it('the example for events tells events apart', async () => {
  const file = path.join(folder, 'events.ts');
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
