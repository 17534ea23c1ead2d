import type { FaultStage } from './fault-stage.js';

/** What the API answered to one request. */
export interface Probed {
  readonly status: number;
  readonly mediaType: string;
  /** `error_code` of a problem document; empty in anything else. */
  readonly errorCode: string;
  readonly hasRetryAfter: boolean;
  readonly ms: number;
}

/** Longest that an answer may take before it counts as none, in milliseconds: what patient clients and balancers wait. */
const PATIENCE_MS = 30_000;

/** Asks a process that serves the API. Status 0 where it does not answer. */
export async function probe(
  stage: FaultStage,
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
): Promise<Probed> {
  const begun = performance.now();
  const took = () => Math.round(performance.now() - begun);
  try {
    const answer = await fetch(`${stage.api.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${stage.token}`,
        'service-version': '2',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    const mediaType = (answer.headers.get('content-type') ?? '').split(';')[0] ?? '';
    const text = await answer.text();
    const value: unknown = mediaType.endsWith('json') ? JSON.parse(text) : null;
    const isObject = typeof value === 'object' && value !== null;
    const errorCode = isObject && 'error_code' in value ? String(value.error_code) : '';
    const hasRetryAfter = answer.headers.has('retry-after');
    return { status: answer.status, mediaType, errorCode, hasRetryAfter, ms: took() };
  } catch {
    return { status: 0, mediaType: '', errorCode: '', hasRetryAfter: false, ms: took() };
  }
}

/** Holds a scenario to what the API must say while Postgres is away: 503 as a problem document, soon, to reads and writes alike. */
export async function expectUnavailable(stage: FaultStage): Promise<void> {
  const answers = await Promise.all([
    probe(stage, 'GET', '/ip_policies?limit=1'),
    probe(stage, 'POST', '/ip_policies', { description: 'while Postgres is away' }),
  ]);
  for (const { status, mediaType, errorCode, hasRetryAfter, ms } of answers) {
    const said = `${status} ${mediaType} ${errorCode} after ${ms} ms`;
    const right = status === 503 && mediaType === 'application/problem+json' && errorCode === 'unavailable';
    stage.expect(right && hasRetryAfter, `the API says 503 with a problem document and Retry-After: ${said}`);
    stage.say(`the API says ${said}`);
  }
  const [live, ready] = await Promise.all([probe(stage, 'GET', '/livez'), probe(stage, 'GET', '/readyz')]);
  stage.expect(
    live.status === 200,
    `the api process is alive, for restarting it would mend nothing: ${live.status}`,
  );
  stage.expect(ready.status === 503, `the api process is not ready without its database: ${ready.status}`);
}

/** Holds the load to this: whatever was not accepted was answered 503. */
export function expectOnlyUnavailable(stage: FaultStage): void {
  const { failed, refused, unanswered } = stage.load.tally;
  const others = Array.from(failed.keys()).filter((status) => status !== 503);
  stage.expect(
    others.length === 0 && refused === 0 && unanswered === 0,
    `every change was accepted or answered 503: ${stage.load.summary}`,
  );
}

/** Holds the load to this: every change was accepted. */
export function expectAllAccepted(stage: FaultStage): void {
  const { failed, refused, unanswered } = stage.load.tally;
  stage.expect(
    failed.size === 0 && refused === 0 && unanswered === 0,
    `every change was accepted, whatever was wrong behind the API: ${stage.load.summary}`,
  );
}
