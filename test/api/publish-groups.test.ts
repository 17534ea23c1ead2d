import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDatabase } from '../../src/database/database.js';
import { systemContext } from '../../src/events/envelope/system-context.js';
import type { PublishedEvent, PublishResponse } from '../../src/events/publishing/published-event.js';
import { Publisher } from '../../src/events/publishing/publisher.js';
import { ResourceTypeStore } from '../../src/events/resource-types/resource-type-store.js';
import { IdempotencyStore, type Claim } from '../../src/http/idempotency/idempotency-store.js';
import type { IdempotencyReservation } from '../../src/http/request/request-context.js';
import { createLogger } from '../../src/logging/logger.js';
import { Problem } from '../../src/problems/problem.js';
import { testKeyRing } from '../support/secrets.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

/** Number of runs: `PUBLISH_MODEL_RUNS=1000`. */
const RUNS = Number(process.env.PUBLISH_MODEL_RUNS ?? 12);

/** Two processes with few connections, so that groups form. */
const PROCESSES = 2;

type Opened = ReturnType<typeof openDatabase> & { readonly publisher: Publisher; readonly name: string };

let api: TestApi;
let keys: IdempotencyStore;
let processes: readonly Opened[];
beforeAll(async () => {
  api = await startTestApi({ QUOTAS: 'resource_type=100000,event_destination=100000,event_subscription=100000' });
  keys = new IdempotencyStore(api.store.db, testKeyRing());
  processes = Array.from({ length: PROCESSES }, (_, index) => {
    const name = `publisher ${index}`;
    const opened = openDatabase({
      connectionString: api.store.connectionString,
      poolSize: 6,
      applicationName: name,
      logger: createLogger('silent'),
    });
    const publisher = new Publisher({
      db: opened.db,
      types: new ResourceTypeStore(opened.db),
      schemas: { objectErrors: (_account, objects) => Promise.resolve(objects.map(() => null)) },
      dispatcher: { notify: () => undefined },
      rates: null,
      observer: null,
    });
    return { ...opened, publisher, name };
  });
});
afterAll(async () => {
  await Promise.all(processes.map(({ db }) => db.destroy()));
  await api.close();
});

/** An event of a step. Ids, resources and contents are few, so that they meet. */
const event = fc.record({
  type: fc.constantFrom('kept', 'gone', 'computed'),
  action: fc.constantFrom('created', 'updated', 'deleted'),
  resource: fc.integer({ min: 0, max: 3 }),
  id: fc.option(fc.integer({ min: 0, max: 5 }), { nil: null, freq: 2 }),
  content: fc.integer({ min: 0, max: 1 }),
});
const request = fc.record({
  do: fc.constant('publish' as const),
  process: fc.nat(PROCESSES - 1),
  events: fc.array(event, { minLength: 1, maxLength: 3 }),
  /** `lost`: another request has taken over its Idempotency-Key. */
  key: fc.constantFrom('none', 'none', 'reserved', 'lost'),
});
const step = fc.oneof(
  { weight: 12, arbitrary: request },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('crash' as const), process: fc.nat(PROCESSES - 1) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('redact' as const, 'delete' as const) }) },
);
/** Steps that begin one after the other, each after so many turns of the event loop. */
const steps = fc.array(fc.tuple(fc.nat(8), step), { minLength: 5, maxLength: 60 });

type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never;
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** A request, and what became of it. */
interface Sent {
  readonly name: string;
  readonly given: Request;
  readonly events: readonly PublishedEvent[];
  /** Whether the pin was redacted before the request began. */
  readonly redacted: boolean;
  result: { readonly response: PublishResponse } | { readonly error: unknown };
}

let runs = 0;

/** The types and requests of one run. */
class World {
  readonly sent: Sent[] = [];
  private redacted = false;
  private goneId = '';
  private readonly under: Promise<unknown>[] = [];
  /** Changes of types, one after the other. */
  private changes = Promise.resolve();

  constructor(
    readonly run: number,
    private readonly keptId: string,
  ) {}

  static async create(): Promise<World> {
    runs += 1;
    const run = runs;
    const kept = await api.admin.create('/resource_types', { name: `kept_${run}` });
    await api.admin.create('/resource_types', { name: `computed_${run}`, changes: 'computed' });
    const { id } = await api.admin.create('/event_destinations', { target });
    await api.admin.create('/event_subscriptions', {
      destination_ids: [id],
      sources: ['kept', 'computed'].flatMap((type) =>
        ['created', 'updated', 'deleted'].map((action) => ({ type: `${type}_${run}_${action}.v0` })),
      ),
    });
    const world = new World(run, kept.id);
    await world.createGone();
    return world;
  }

  begin(what: Step): void {
    switch (what.do) {
      case 'publish':
        return this.publish(what);
      case 'crash':
        this.under.push(crash(what.process));
        return;
      case 'redact':
        this.change(async () => {
          const { status, text } = await api.admin.patch(`/resource_types/${this.keptId}`, { redact: ['/pin'] });
          if (status !== 200) throw new Error(text);
          this.redacted = true;
        });
        return;
      case 'delete':
        this.change(async () => {
          const { status, text } = await api.admin.delete(`/resource_types/${this.goneId}`);
          if (status !== 204) throw new Error(text);
          await this.createGone();
        });
    }
  }

  /**
   * Waits for what was begun, and publishes an event of each type in each process: their types may have changed.
   * Returns these requests.
   */
  async end(): Promise<readonly Sent[]> {
    await this.changes;
    await Promise.all(this.under);
    const last = { action: 'updated', resource: 0, id: null, content: 0 } as const;
    for (let process = 0; process < PROCESSES; process += 1)
      for (const type of ['kept', 'gone', 'computed'] as const)
        this.publish({ do: 'publish', process, events: [{ ...last, type }], key: 'none' });
    await Promise.all(this.under);
    return this.sent.slice(-3 * PROCESSES);
  }

  private change(act: () => Promise<void>): void {
    this.changes = this.changes.then(act);
  }

  private async createGone(): Promise<void> {
    this.goneId = (await api.admin.create('/resource_types', { name: `gone_${this.run}` })).id;
  }

  private publish(given: Request): void {
    const name = `${this.run}.${this.sent.length}`;
    const events = given.events.map(({ type, action, resource, id, content }, index) => ({
      type: `${type}_${this.run}_${action}.v0`,
      resource_id: `r${resource}`,
      // Contents are equal where the ids are, in half of the cases.
      object: { content, pin: 'secret', ...(id === null && { of: `${name}/${index}` }) },
      ...(id !== null && { id: `${this.run}-${id}` }),
    }));
    const sent: Sent = { name, given, events, redacted: this.redacted, result: { error: null } };
    this.sent.push(sent);
    const context = {
      ...systemContext(api.accountId, 'test', api.baseUrl),
      operationId: `op_${name}`,
    };
    const { publisher } = processes[given.process] ?? missing();
    const publish = async () => publisher.publish({ ...context, reservation: await reserved(given.key, name) }, events);
    const done = publish().then(
      (response) => (sent.result = { response }),
      (error: unknown) => (sent.result = { error }),
    );
    this.under.push(done);
  }
}

const target = { monitoring: { api_key: '0123456789abcdef0123456789abcdef', site: 'datadoghq.eu', service: 'audit' } };

function missing(): never {
  throw new Error('missing');
}

function claimOf(name: string): Claim {
  const requestHash = Buffer.from(name);
  return { accountId: 'acc', apiKeyId: 'ak', idempotencyKey: name, requestHash, operationId: `op_${name}` };
}

/** Reserves the key of a request; a lost one belongs to another request. */
async function reserved(key: Request['key'], name: string): Promise<IdempotencyReservation | null> {
  if (key === 'none') return null;
  const claim = claimOf(name);
  await keys.claim(key === 'lost' ? { ...claim, operationId: 'op_other' } : claim);
  return {
    sealed: ({ status, body }) => keys.sealed(claim, { status, headers: {}, body: JSON.stringify(body) }),
  };
}

/** Returns the stored response of a request with a key; null for none. */
async function storedResponse(name: string): Promise<unknown> {
  const found = await keys.claim(claimOf(name)).catch((error: unknown) => {
    if (error instanceof Problem) return null;
    throw error;
  });
  return found && JSON.parse(found.body);
}

/**
 * Ends the connections of a process that are in use, and waits until they have ended: a later request would otherwise
 * get one that is about to.
 */
async function crash(index: number): Promise<void> {
  const { rows } = await api.store.pool.query<{ pid: number }>(
    `select pid, pg_terminate_backend(pid) from pg_stat_activity where application_name = $1 and state <> 'idle'`,
    [processes[index]?.name],
  );
  await api.store.pool.query('select pg_terminate_backend(pid, 5000) from unnest($1::int[]) pid', [
    rows.map(({ pid }) => pid),
  ]);
  await turn();
}

interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly resource: string;
  readonly operation: string;
  readonly publisher_id: string | null;
  readonly deliveries: number[];
  readonly payload: { readonly version: number; readonly object: { readonly content: number; readonly pin: unknown } };
}

async function storedEvents(number: number): Promise<readonly EventRow[]> {
  const { rows } = await api.store.pool.query<EventRow>(
    `select e.id, e.type, e.resource_id as resource, e.operation_id as operation, p.publisher_id, e.payload::json as payload,
            array(select d.id from deliveries d where d.event_id = e.id)::int[] as deliveries
     from events e left join publisher_ids p on p.event_id = e.id
     where e.type ~ ('^[a-z]+_' || $1 || '_') order by e.id`,
    [number],
  );
  return rows;
}

/** Checks what is stored against the responses. */
async function check({ run: number, sent }: World): Promise<void> {
  const rows = await storedEvents(number);
  const byId = new Map(rows.map((row) => [row.id, row]));
  const orphans = await api.store.pool.query(
    `select from publisher_ids where publisher_id like $1 || '-%' and not exists (select from events e where e.id = event_id)`,
    [String(number)],
  );
  expect(orphans.rows).toEqual([]);
  checkOrder(rows);
  for (const { name, given, events, redacted, result } of sent) {
    const own = rows.filter(({ operation }) => operation === `op_${name}`);
    for (const { type, payload } of own)
      if (redacted && type.startsWith('kept_')) expect(payload.object.pin).toBeNull();
    const response = 'response' in result ? result.response : null;
    const stored = given.key === 'reserved' ? await storedResponse(name) : null;
    if (given.key === 'reserved') expect(own.length === 0 || stored !== null).toBe(true);
    if (response) {
      expect(given.key).not.toBe('lost');
      if (given.key === 'reserved') expect(stored).toEqual(response);
      expect(response.events).toHaveLength(events.length);
      expect(own.map(({ id }) => id)).toEqual(response.events.flatMap((one) => (one.duplicate ? [] : one.event_id)));
      for (const [index, { event_id: id }] of response.events.entries()) {
        const row = byId.get(id);
        const { id: publisherId = null, type, resource_id: resource, object } = events[index] ?? missing();
        expect(row).toMatchObject({ type, resource, publisher_id: publisherId });
        expect(row?.payload.object.content).toBe(object['content']);
      }
      continue;
    }
    const error = 'error' in result ? result.error : null;
    if (error instanceof Problem && error.code !== 'unavailable') {
      expect(own).toEqual([]);
      if (error.code === 'event_id_reused') expectReused(rows, events, error);
      else if (error.code === 'invalid_input') expect(events.some(({ type }) => type.startsWith('gone_'))).toBe(true);
      else expect([error.code, given.key]).toEqual(['idempotency_key_in_use', 'lost']);
      continue;
    }
    // The connection was lost, perhaps after the commit: all of the events that were new, or none.
    const ownIds = new Set(own.map(({ publisher_id: id }) => id));
    const others = new Set(rows.filter((row) => !own.includes(row)).map(({ publisher_id: id }) => id));
    const wanted = new Set(events.flatMap(({ id = null }) => (id === null || others.has(id) ? [] : id)));
    const unnamed = events.filter(({ id }) => id === undefined).length;
    if (own.length > 0) {
      expect(own.filter(({ publisher_id: id }) => id === null)).toHaveLength(unnamed);
      for (const id of wanted) expect(ownIds).toContain(id);
    }
  }
}

/** A refused id is that of a stored event with other content, or of another event of the request. */
function expectReused(rows: readonly EventRow[], events: readonly PublishedEvent[], error: Problem): void {
  const conflicts = error.conflicts ?? [];
  const ids = events.flatMap(({ id }) => id ?? []);
  if (conflicts.length === 0) expect(new Set(ids).size).toBeLessThan(ids.length);
  for (const id of conflicts) expect(rows.map((row) => row.id)).toContain(id);
}

/** The events of a resource have every version once, in the order of their ids and of their deliveries. */
function checkOrder(rows: readonly EventRow[]): void {
  const resources = new Map<string, EventRow[]>();
  for (const row of rows) {
    const [name = ''] = row.type.split('_');
    // A type that was deleted and created again counts anew.
    if (name === 'gone') continue;
    const key = `${name} ${row.resource}`;
    resources.set(key, [...(resources.get(key) ?? []), row]);
  }
  for (const of of resources.values()) {
    expect(of.map(({ payload }) => payload.version)).toEqual(of.map((_, index) => index + 1));
    const deliveries = of.map((row) => row.deliveries);
    expect(deliveries.every(({ length }) => length === 1)).toBe(true);
    expect(deliveries.flat()).toEqual(deliveries.flat().toSorted((a, b) => a - b));
  }
}

it('groups of requests store what each response says, whatever meets in them', { timeout: 240_000 }, async () => {
  const property = fc.asyncProperty(steps, async (all) => {
    const world = await World.create();
    for (const [turns, what] of all) {
      for (let count = 0; count < turns; count += 1) await turn();
      world.begin(what);
    }
    for (const { result } of await world.end()) expect(result).toHaveProperty('response');
    await check(world);
  });
  await fc.assert(property, { numRuns: RUNS, endOnFailure: true });
});
