import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '@waybill/sandbox';
import type { Client } from 'pg';
import { targetKinds, type TargetKind } from '../../../src/targets/target.js';
import type { ApiClient } from '../../harness/api-client.js';
import { demoTargets } from '../../harness/destinations.js';
import { verifierKeys } from '../../harness/verify-arrivals.js';
import { isSignedCheckpoint, proveArrivals, type ProvedDestination } from '../proof.js';
import { progressLine, type Screen } from '../screen.js';
import { waitForClients } from '../vendor-clients.js';
import { countCommitted, readAudit } from './audit.js';
import { countExample } from './count.js';
import type { ExampleProcesses } from './example-processes.js';
import { HttpLoad, privateTexts } from './http-load.js';
import { exampleResult, victims, type ExampleResult, type Victim } from './result.js';
import { SqlLoad } from './sql-load.js';

/** What a run needs. */
export interface ExampleRun {
  /** Start of the demo, by `performance.now()`. */
  readonly begun: number;
  readonly example: ExampleProcesses;
  readonly sandbox: Sandbox;
  /** A connection to the example's database. */
  readonly database: Client;
  readonly databaseUrl: string;
  readonly screen: Screen;
}

/** The load ends when so many changes are committed. */
const CHANGES = 3_000;
const HTTP_WORKERS = 8;
const SQL_WORKERS = 2;
const POLL_MS = 250;
/** Time without a change, a published event or an arrival after which the rest counts as lost. */
const STALLED_MS = 90_000;
/** Time for a late duplicate, or an event that should not exist, to arrive. */
const SETTLE_MS = 1_500;

const names: Readonly<Record<Victim, string>> = { api: 'the orders API', relay: 'the relay', waybill: 'Waybill' };

/** Makes the changes, kills the programs in turn, waits for the arrivals and counts them. */
export async function runExample({
  begun,
  example,
  sandbox,
  database,
  databaseUrl,
  screen,
}: ExampleRun): Promise<ExampleResult> {
  const keys = await verifierKeys(example.admin);
  const destinations = await subscribe(example.admin, sandbox, screen);
  await waitForClients(example.admin.baseUrl, screen);
  screen.print(`Making ${CHANGES} changes in the database of the orders API:`);
  const load = [new HttpLoad(example.apiUrl), new SqlLoad(databaseUrl)] as const;
  load[0].start(HTTP_WORKERS);
  load[1].start(SQL_WORKERS);
  const show = async (): Promise<number> => {
    const committed = await countCommitted(database);
    screen.progress(progressLine(committed, Math.max(committed, CHANGES), arrived(sandbox)));
    return committed;
  };
  const kills = { api: 0, relay: 0, waybill: 0 };
  for (const [index, victim] of victims.entries()) {
    await waitForChanges((CHANGES * (index + 1)) / (victims.length + 1), database, show);
    await example[victim].kill();
    kills[victim] += 1;
    screen.print(`Killed ${names[victim]} after ${await countCommitted(database)} changes.`);
    await example[victim].start();
    // The changes continue, and are delivered when the new process has loaded the clients.
    if (victim === 'waybill') await waitForClients(example.admin.baseUrl, screen);
  }
  while ((await show()) < CHANGES) await sleep(POLL_MS);
  await Promise.all(load.map((part) => part.stop()));
  const { accepted, refused, failed } = load[0].counts;
  screen.print(`The load has ended: ${accepted} requests were accepted, ${refused} refused, ${failed} failed.`);
  const audit = await readAudit(database);
  await waitForArrival(sandbox, database, audit.committed.length, show);
  const targets = targetKinds.map(
    (kind) => [kind, countExample(audit.committed, sandbox.received({ target: kind }), privateTexts)] as const,
  );
  return exampleResult(audit, Object.fromEntries(targets) as ExampleResult['targets'], {
    proof: await proveArrivals(example.admin, keys, destinations),
    outbox_rows: await countOutbox(database),
    kills,
    seconds: Math.round((performance.now() - begun) / 1_000),
  });
}

/** Creates a destination of each kind, and subscribes all of them to every registered event type. */
async function subscribe(admin: ApiClient, sandbox: Sandbox, screen: Screen): Promise<readonly ProvedDestination[]> {
  const destinations: ProvedDestination[] = [];
  for (const kind of targetKinds) {
    const { id } = await admin.create('/event_destinations', {
      description: `orders: ${kind}`,
      target: { [kind]: demoTargets[kind] },
    });
    destinations.push({ id, received: () => sandbox.received({ target: kind }) });
  }
  const { event_types: catalogue } = (await admin.send('GET', '/event_types')).body as {
    event_types: { type: string; origin: string }[];
  };
  const types = catalogue.filter(({ origin }) => origin === 'registered').map(({ type }) => type);
  await admin.create('/event_subscriptions', {
    description: 'the audit trail of the orders API',
    sources: types.map((type) => ({ type })),
    destination_ids: destinations.map(({ id }) => id),
  });
  screen.print(`Subscribed ${destinations.length} destinations to: ${types.join(', ')}`);
  return destinations;
}

/** Returns the number of different events of changes that arrived at each destination. */
function arrived(sandbox: Sandbox): Record<TargetKind, number> {
  const counts = new Map<TargetKind, number>(targetKinds.map((kind) => [kind, 0]));
  for (const { target, events, repeats } of sandbox.receivedCounts())
    counts.set(target, (counts.get(target) ?? 0) + events - repeats);
  for (const target of targetKinds) {
    const bodies = sandbox.received({ target }).map(({ body }) => body);
    const checkpoints = new Set(bodies.filter(isSignedCheckpoint));
    counts.set(target, (counts.get(target) ?? 0) - checkpoints.size);
  }
  return Object.fromEntries(counts) as Record<TargetKind, number>;
}

/**
 * Waits until so many changes are committed, and events are published since the call: after the last kill.
 * @throws Error when both numbers stand still
 */
async function waitForChanges(threshold: number, database: Client, show: () => Promise<number>): Promise<void> {
  const publishedBefore = await countPublished(database);
  let before = 0;
  let progressAt = performance.now();
  for (;;) {
    const committed = await show();
    const published = await countPublished(database);
    if (committed >= threshold && published !== publishedBefore) return;
    // The load continues beyond the threshold: then only what is published counts.
    const all = Math.min(committed, threshold) + published;
    if (all > before) progressAt = performance.now();
    if (performance.now() - progressAt > STALLED_MS) throw new Error('No changes are made or published any more.');
    before = all;
    await sleep(POLL_MS);
  }
}

/** Waits until every destination has received so many different events and the outbox is empty, or no more arrive. */
async function waitForArrival(
  sandbox: Sandbox,
  database: Client,
  expected: number,
  show: () => Promise<unknown>,
): Promise<void> {
  let before = -1;
  let progressAt = performance.now();
  for (;;) {
    await show();
    const counts = Object.values(arrived(sandbox));
    if (counts.every((count) => count >= expected) && (await countOutbox(database)) === 0) break;
    const all = counts.reduce((sum, count) => sum + count, 0);
    if (all !== before) progressAt = performance.now();
    if (performance.now() - progressAt > STALLED_MS) break;
    before = all;
    await sleep(POLL_MS);
  }
  await sleep(SETTLE_MS);
}

/** Returns the number of events that the relays have published. */
async function countPublished(database: Client): Promise<number> {
  const { rows } = await database.query<{ published: string }>('select published from waybill_outbox.relay');
  return Number(rows[0]?.published);
}

/** Returns the number of events that wait or were refused. */
async function countOutbox(database: Client): Promise<number> {
  const { rows } = await database.query<{ count: string }>(
    'select (select count(*) from waybill_outbox.events) + (select count(*) from waybill_outbox.rejected) as count',
  );
  return Number(rows[0]?.count);
}
