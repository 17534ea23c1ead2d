import type { ScenarioEnvironment } from './scenario-environment.js';

/** Response to a probe. */
export interface ProbeResult {
  readonly status: number;
  readonly mediaType: string;
  /** `error_code` of a problem document, else empty. */
  readonly errorCode: string;
  readonly hasRetryAfter: boolean;
  readonly ms: number;
}

/** Limit of a request, as in patient clients and load balancers. */
const TIMEOUT_MS = 30_000;

/** Sends one request to the API. The status is 0 without a response. */
export async function probe(
  environment: ScenarioEnvironment,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<ProbeResult> {
  const begun = performance.now();
  const took = () => Math.round(performance.now() - begun);
  try {
    const response = await fetch(`${environment.api.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${environment.token}`,
        'service-version': '2',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const mediaType = (response.headers.get('content-type') ?? '').split(';')[0] ?? '';
    const text = await response.text();
    const value: unknown = mediaType.endsWith('json') ? JSON.parse(text) : null;
    const isObject = typeof value === 'object' && value !== null;
    const errorCode = isObject && 'error_code' in value ? String(value.error_code) : '';
    const hasRetryAfter = response.headers.has('retry-after');
    return { status: response.status, mediaType, errorCode, hasRetryAfter, ms: took() };
  } catch {
    return { status: 0, mediaType: '', errorCode: '', hasRetryAfter: false, ms: took() };
  }
}

/** Checks that the API returns 503 as a problem document to reads and writes while Postgres is down. */
export async function expectUnavailable(environment: ScenarioEnvironment): Promise<void> {
  const responses = await Promise.all([
    probe(environment, 'GET', '/ip_policies?limit=1'),
    probe(environment, 'POST', '/ip_policies', { description: 'while Postgres is away' }),
  ]);
  for (const { status, mediaType, errorCode, hasRetryAfter, ms } of responses) {
    const summary = `${status} ${mediaType} ${errorCode} after ${ms} ms`;
    const expected = status === 503 && mediaType === 'application/problem+json' && errorCode === 'unavailable';
    environment.expect(
      expected && hasRetryAfter,
      `the API returns 503 with a problem document and Retry-After: ${summary}`,
    );
    environment.log(`the API returned ${summary}`);
  }
  const [live, ready] = await Promise.all([probe(environment, 'GET', '/livez'), probe(environment, 'GET', '/readyz')]);
  environment.expect(
    live.status === 200,
    `/livez returns 200 without Postgres, because a restart would not help: ${live.status}`,
  );
  environment.expect(ready.status === 503, `/readyz returns 503 without Postgres: ${ready.status}`);
}

/** Checks that every change was accepted or got a 503. */
export function expectOnlyUnavailable(environment: ScenarioEnvironment): void {
  const { failed, refused, unanswered } = environment.load.counts;
  const others = Array.from(failed.keys()).filter((status) => status !== 503);
  environment.expect(
    others.length === 0 && refused === 0 && unanswered === 0,
    `every change was accepted or got a 503: ${environment.load.summary}`,
  );
}

/** Checks that every change was accepted. */
export function expectAllAccepted(environment: ScenarioEnvironment): void {
  const { failed, refused, unanswered } = environment.load.counts;
  environment.expect(
    failed.size === 0 && refused === 0 && unanswered === 0,
    `every change was accepted: ${environment.load.summary}`,
  );
}
