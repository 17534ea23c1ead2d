import { setTimeout as sleep } from 'node:timers/promises';
import type { Sandbox } from '@waybill/sandbox';
import { targetKinds, type TargetKind } from '../../src/targets/target.js';
import { ApiClient } from '../harness/api-client.js';
import { demoTargets } from '../harness/destinations.js';
import { verifierKeys } from '../harness/verify-arrivals.js';
import { makeChanges, PLANNED_CHANGES } from './changes.js';
import { proveArrivals, type Proof, type ProvedDestination } from './proof.js';
import { progressLine, type Screen } from './screen.js';
import { countTarget, type TargetCount } from './target-count.js';
import { reportTunnels } from './tunnel-changes.js';
import { waitForClients } from './vendor-clients.js';

/** Result of the demo, counted at the sandbox. */
export interface DemoResult {
  /** Changes of the demo. Each target must receive all of them. */
  readonly published: number;
  /** Event types in the catalogue, and those that arrived at every target. */
  readonly event_types: {
    readonly catalogue: number;
    readonly emitted: number;
    readonly missing: readonly string[];
  };
  readonly targets: Readonly<Record<TargetKind, TargetCount>>;
  /** Verdict of the verifier on all that arrived. */
  readonly proof: Proof;
}

/** Time without an arrival after which the rest counts as lost. */
const ARRIVE_WITHIN_MS = 120_000;
/** Time for a late duplicate to arrive. */
const SETTLE_MS = 1_500;

/** Creates a bot user, a destination of each kind and a subscription; makes the changes; counts the arrivals. */
export async function runDemo(
  admin: ApiClient,
  dataPlane: ApiClient,
  sandbox: Sandbox,
  screen: Screen,
): Promise<DemoResult> {
  const keys = await verifierKeys(admin);
  const bot = await admin.create('/bot_users', { name: 'demo' });
  const key = await admin.create('/api_keys', { owner_id: bot.id, description: 'key of the demo bot' });
  const api = new ApiClient(admin.baseUrl, String(key.response.body.token));
  screen.print(`Created the bot user ${bot.id} and its key ${key.id}.`);

  screen.print(
    'Creating a destination of each kind. With the first of a kind, the service loads the client of its vendor.',
  );
  const destinations: ProvedDestination[] = [];
  for (const kind of targetKinds) {
    const destination = await api.create('/event_destinations', {
      description: `demo: ${kind}`,
      target: { [kind]: demoTargets[kind] },
    });
    destinations.push({ id: destination.id, received: () => sandbox.received({ target: kind }) });
    screen.print(`Created the destination ${destination.id} for ${kind}.`);
  }
  await waitForClients(api.baseUrl, screen);
  const catalogue = (await api.send('GET', '/event_types')).body.event_types as { type: string }[];
  // Snapshots report what exists, and events of health what fails: neither is what the demo changes.
  const types = catalogue.filter(({ type }) => /_(?:created|updated|deleted)\.v0$/.test(type));
  const names = types.map(({ type }) => type);
  const operations = new Set<string>();
  const subscription = await api.create('/event_subscriptions', {
    description: 'demo: everything, everywhere',
    sources: types.map(({ type }) => ({ type })),
    destination_ids: destinations.map(({ id }) => id),
  });
  operations.add(subscription.response.operationId);
  screen.print(`Subscribed all of them to ${types.length} event types. Making ${PLANNED_CHANGES} changes:`);

  const show = () => screen.progress(progressLine(operations.size - 1, PLANNED_CHANGES, counts(sandbox)));
  await makeChanges(api, admin, subscription.id, (operationId) => {
    operations.add(operationId);
    show();
  });
  await reportTunnels(dataPlane, await accountOf(api));
  await waitForArrival(sandbox, operations, names, show);
  screen.print(progressLine(operations.size - 1, PLANNED_CHANGES, counts(sandbox)));
  const targets = targetKinds.map(
    (kind) => [kind, countTarget(sandbox.received({ target: kind }), operations)] as const,
  );
  const missing = missingTypes(sandbox, names);
  return {
    published: operations.size,
    event_types: { catalogue: names.length, emitted: names.length - missing.length, missing },
    targets: Object.fromEntries(targets) as Record<TargetKind, TargetCount>,
    proof: await proveArrivals(api, keys, destinations),
  };
}

function counts(sandbox: Sandbox): Record<TargetKind, number> {
  const entries = targetKinds.map((kind) => [kind, sandbox.received({ target: kind }).length]);
  return Object.fromEntries(entries) as Record<TargetKind, number>;
}

/** Returns the account of a client, read from an event. */
async function accountOf(api: ApiClient): Promise<string> {
  const { events } = (await api.send('GET', '/events?limit=1')).body as {
    events: { payload: { account_id: string } }[];
  };
  return events[0]?.payload.account_id ?? '';
}

/** Returns the event types that have not arrived at every target. */
function missingTypes(sandbox: Sandbox, names: readonly string[]): readonly string[] {
  const seen = targetKinds.map((kind) => {
    const bodies = sandbox.received({ target: kind }).map(({ body }) => JSON.parse(body) as { event_type: string });
    return new Set(bodies.map(({ event_type }) => event_type));
  });
  return names.filter((name) => !seen.every((types) => types.has(name)));
}

/** Waits until every target has received every event and every type, or until nothing arrives any more. */
async function waitForArrival(
  sandbox: Sandbox,
  operations: ReadonlySet<string>,
  names: readonly string[],
  show: () => void,
): Promise<void> {
  let progressAt = Date.now();
  let before = -1;
  while (Date.now() - progressAt < ARRIVE_WITHIN_MS) {
    const all = Object.values(counts(sandbox)).reduce((sum, count) => sum + count, 0);
    const complete =
      targetKinds.every((kind) => countTarget(sandbox.received({ target: kind }), operations).lost === 0) &&
      missingTypes(sandbox, names).length === 0;
    show();
    if (complete && all === before) return;
    if (all !== before) progressAt = Date.now();
    before = all;
    await sleep(complete ? SETTLE_MS : 250);
  }
}
