import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { problemSchema } from '../../src/http/problems/problem-document.js';
import { fieldsOf, pathsIn, replaceIn, requestsOf } from '../../tools/attack/requests/generated-requests.js';
import { fillPath, type Operation } from '../../tools/attack/requests/operations.js';
import type { Schema } from '../../tools/attack/requests/schema-values.js';
import type { TestResponse } from '../support/api-client.js';
import { cpuTimeOf } from '../support/cpu-time.js';
import { createFixtures, operations, type Fixtures } from '../support/fixtures.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
let fixtures: Fixtures;
beforeAll(async () => {
  api = await startTestApi();
  fixtures = await createFixtures(api);
});
afterAll(() => api.close());

/**
 * Every run generates the same requests, unless FUZZ_SEED sets another seed. fast-check prints the seed on a failure.
 */
const SEED = Number(process.env.FUZZ_SEED ?? 20_260_101);
/** Number of generated requests, about: `FUZZ_REQUESTS=1000000`. Default: some thousand. */
const REQUESTS = Number(process.env.FUZZ_REQUESTS ?? 0);
const PROGRESS_EVERY = 10_000;
const HANGS_AFTER_MS = 60_000;
/**
 * Most CPU time of a request of a hostile size, as a multiple of the reference: of client, service and the garbage that
 * both make.
 */
const MOST_CPU = 3;

/** Values of a whole body: each for another check that may take more than linear time. */
const hostileSizes: readonly unknown[] = [
  'a'.repeat(240_000),
  'ａ.'.repeat(60_000),
  '\\pL'.repeat(60_000),
  'xn--'.repeat(60_000),
  '[{"":'.repeat(12_000),
  'a:b,'.repeat(60_000),
  '<a>'.repeat(80_000),
  `-----BEGIN PRIVATE KEY-----${'A'.repeat(200_000)}-----END PRIVATE KEY-----`,
  Array.from({ length: 60_000 }, (_, index) => index),
  Array.from({ length: 20_000 }, (_, index) => `a${index}`),
  Array.from({ length: 30_000 }, () => ({})),
  Object.fromEntries(Array.from({ length: 15_000 }, (_, index) => [`name-${index}`, ''])),
  { ['n'.repeat(120_000)]: 'v'.repeat(120_000) },
];

/** Number of runs: an operation with a body has more ways to fail. */
const usualRuns = ({ body }: Operation) => (body === undefined ? 5 : 24);
const usualRequests = operations.reduce((sum, operation) => sum + usualRuns(operation), 0);
const runsOf = (operation: Operation) => Math.ceil(usualRuns(operation) * Math.max(1, REQUESTS / usualRequests));

const named = operations.map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

function expectDocumented(operation: Operation, path: string, response: TestResponse): void {
  const message = `${operation.method} ${path} returned ${response.status}: ${response.text.slice(0, 2_000)}`;
  if (response.status < 400) {
    expect(operation.statuses, message).toContain(response.status);
    return;
  }
  expect(response.status, message).toBeLessThan(500);
  expect(response.headers.get('content-type'), message).toBe('application/problem+json; charset=utf-8');
  expect(problemSchema.strict().parse(response.body).status).toBe(response.status);
}

describe.concurrent('a generated request', () => {
  let sent = 0;
  const startedAt = performance.now();
  const report = () => {
    const seconds = (performance.now() - startedAt) / 1_000;
    console.log(`${sent} requests in ${seconds.toFixed(0)} s, ${(sent / seconds).toFixed(0)} per second`);
  };
  afterAll(() => {
    if (REQUESTS > 0) report();
  });

  for (const [name, operation] of named) {
    const numRuns = runsOf(operation);
    const timeout = 120_000 + numRuns * 250;
    it(`to ${name} gets a documented response`, { timeout }, async () => {
      await fc.assert(
        fc.asyncProperty(requestsOf(operation, fixtures), async ({ path, body, headers }) => {
          sent += 1;
          if (sent % PROGRESS_EVERY === 0) report();
          expectDocumented(operation, path, await api.admin.send(operation.method, path, body, headers));
        }),
        { seed: SEED, numRuns, timeout: HANGS_AFTER_MS },
      );
    });
  }
});

/**
 * The valid body of an operation, with some hostile sizes in each field: three in a POST, and one in other methods,
 * whose fields a POST has as well. Over all fields, every size occurs.
 */
function hostileBodies(operation: Operation): readonly string[] {
  const valid = fixtures.bodyOf(operation) ?? {};
  const steps = operation.method === 'POST' ? [0, 1, 2] : [0];
  const number = operations.indexOf(operation);
  const all = [...pathsIn(valid), ...fieldsOf(operation.body as Schema, fixtures.schemas)].map((path) =>
    JSON.stringify(path),
  );
  const bodies = [...new Set(all)].flatMap((path, index) =>
    steps.map((step) => {
      const value = hostileSizes[(number + index * steps.length + step) % hostileSizes.length];
      return JSON.stringify(replaceIn(valid, JSON.parse(path) as string[], value));
    }),
  );
  // An unknown member of a list changes nothing.
  return bodies.filter((body) => body !== JSON.stringify(valid));
}

describe('a field of a hostile size', () => {
  let sent = 0;
  let slowest = 0;
  afterAll(() =>
    console.log(`${sent} requests of a hostile size; the slowest took ${slowest.toFixed(1)} references of CPU`),
  );

  for (const [name, operation] of named) {
    if (operation.body === undefined) continue;
    it(`of ${name} is refused, and costs little CPU time`, async () => {
      const path = fillPath(operation.path, fixtures.parametersOf(operation.path));
      for (const body of hostileBodies(operation)) {
        const message = `${name} with ${body.slice(0, 200)}`;
        const time = await cpuTimeOf(async () => {
          const response = await api.admin.send(operation.method, path, body);
          expectDocumented(operation, path, response);
          expect(response.status, message).toBeGreaterThanOrEqual(400);
        }, MOST_CPU);
        sent += 1;
        slowest = Math.max(slowest, time);
        expect(time, message).toBeLessThanOrEqual(MOST_CPU);
      }
    });
  }
});
