import { afterAll, beforeAll, expect, it } from 'vitest';
import { until } from '../../tools/harness/until.js';
import type { JsonObject } from '../support/api-client.js';
import { DeliveringApi } from '../support/delivering-api.js';

let delivering: DeliveringApi;
beforeAll(async () => {
  delivering = await DeliveringApi.start();
});
afterAll(() => delivering.close());

const ARN = 'arn:aws:kinesis:eu-central-1:123456789012:stream/mirror';
const creds = { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: 'secret' };
const EXISTING = 250;
const WRITERS = 4;
/** Changes of each writer after the snapshot is finished. */
const MORE_CHANGES = 15;

/** A delivered event. */
interface Delivered {
  readonly event_type: string;
  readonly sequence: number;
  readonly version: number;
  readonly object: JsonObject & { readonly id: string };
}

/** Changes policies of its own until it is told to stop: creates, updates, deletes. */
class Writer {
  private stopAfter = Infinity;
  private changes = 0;
  /** Statuses of its updates and deletions. */
  readonly statuses: number[] = [];

  constructor(private readonly paths: string[]) {}

  async run(): Promise<void> {
    const { admin } = delivering.api;
    for (; this.changes < this.stopAfter; this.changes += 1) {
      // From the end: the snapshot comes from the beginning, so that changes precede it.
      const path = this.paths.at(-1 - (this.changes % this.paths.length)) ?? '';
      if (this.changes % 5 === 3) {
        this.paths.splice(this.paths.indexOf(path), 1);
        this.statuses.push((await admin.delete(path)).status);
      } else if (this.changes % 5 === 4) {
        this.paths.push((await admin.create('/ip_policies', {})).path);
      } else {
        this.statuses.push((await admin.patch(path, { description: `change ${this.changes}` })).status);
      }
    }
  }

  /** Lets the writer make a few more changes. */
  stopSoon(): void {
    this.stopAfter = this.changes + MORE_CHANGES;
  }
}

async function allPolicies(): Promise<ReadonlyMap<string, JsonObject>> {
  const found = new Map<string, JsonObject>();
  for (let next: unknown = '/ip_policies'; typeof next === 'string';) {
    const { body } = await delivering.api.admin.get(next);
    for (const policy of body.ip_policies as (JsonObject & { id: string })[]) found.set(policy.id, policy);
    next = body.next_page_uri;
  }
  return found;
}

it('a mirror that begins with a snapshot equals the list, with every version of every resource, under writes', async () => {
  const { api } = delivering;
  const { admin } = api;
  const paths = await Promise.all(
    Array.from({ length: EXISTING }, async () => (await admin.create('/ip_policies', {})).path),
  );
  const writers = Array.from(
    { length: WRITERS },
    (_, writer) => new Writer(paths.filter((__, index) => index % WRITERS === writer)),
  );
  const running = Promise.all(writers.map((writer) => writer.run()));
  const destination = await admin.create('/event_destinations', {
    target: { data_stream: { auth: { creds }, stream_arn: ARN } },
  });
  const subscription = await admin.create('/event_subscriptions', {
    destination_ids: [destination.id],
    sources: ['created', 'updated', 'deleted', 'snapshot'].map((kind) => ({ type: `ip_policy_${kind}.v0` })),
  });
  await until(async () => {
    const { snapshots } = (await admin.get(`${subscription.path}/snapshots`)).body as { snapshots: JsonObject[] };
    return snapshots[0]?.state === 'finished';
  }, 'the snapshot is finished');
  for (const writer of writers) writer.stopSoon();
  await running;
  expect(new Set(writers.flatMap(({ statuses }) => statuses))).toEqual(new Set([200, 204]));
  await until(async () => (await admin.get(`${destination.path}/status`)).body.pending === 0, 'nothing is pending');

  const events = delivering
    .arrivals(ARN)
    .map((body) => JSON.parse(body) as Delivered)
    .toSorted((a, b) => a.sequence - b.sequence);
  expect(events.map(({ sequence }) => sequence)).toEqual(events.map((_, index) => index + 1));
  const mirror = new Map<string, JsonObject>();
  const versions = new Map<string, number>();
  const wrong: Delivered[] = [];
  for (const event of events) {
    const { event_type: type, object, version } = event;
    const known = versions.get(object.id);
    const begins = type === 'ip_policy_snapshot.v0' || type === 'ip_policy_created.v0';
    if (known === undefined ? !begins : begins || version !== known + 1) wrong.push(event);
    versions.set(object.id, version);
    if (type === 'ip_policy_deleted.v0') mirror.delete(object.id);
    else mirror.set(object.id, object);
  }
  expect(wrong).toEqual([]);
  expect(mirror).toEqual(await allPolicies());
  const kinds = new Set(events.map(({ event_type: type }) => type));
  expect(kinds.size).toBe(4);
});
