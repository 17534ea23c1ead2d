import { setTimeout as sleep } from 'node:timers/promises';
import { targetKinds, type TargetKind } from '../../src/targets/target.js';
import type { Sandbox } from '../sandbox/sandbox-contract.js';
import { ApiClient } from './api-client.js';
import { makeChanges, plannedChanges } from './changes.js';
import { demoTargets } from './destinations.js';
import { progressLine, type Screen } from './screen.js';
import { tally, type TargetTally } from './tally.js';

/** What a run of the demo found, all of it counted at the sandbox. */
export interface DemoResult {
  readonly published: number;
  readonly targets: Readonly<Record<TargetKind, TargetTally>>;
}

/** How long to wait for the last events once the last change is made. */
const arriveWithinMs = 60_000;
/** How long nothing new may arrive after all is there before it is counted: time for a duplicate to show itself. */
const settleMs = 1_500;

/** Sets up a bot, its key, a destination of each kind and a subscription to everything; makes the changes; counts what arrived. */
export async function runDemo(admin: ApiClient, sandbox: Sandbox, screen: Screen): Promise<DemoResult> {
  const bot = await admin.create('/bot_users', { name: 'demo' });
  const key = await admin.create('/api_keys', { owner_id: bot.id, description: 'key of the demo bot' });
  const api = new ApiClient(admin.baseUrl, String(key.answer.body.token));
  screen.say(`Made the bot user ${bot.id} and its key ${key.id}.`);

  const destinationIds: string[] = [];
  for (const kind of targetKinds) {
    const destination = await api.create('/event_destinations', {
      description: `demo: ${kind}`,
      target: { [kind]: demoTargets[kind] },
    });
    destinationIds.push(destination.id);
    screen.say(`Made the destination ${destination.id} for ${kind}.`);
  }
  const types = (await api.send('GET', '/event_types')).body.event_types as { type: string }[];
  const operations = new Set<string>();
  const subscription = await api.create('/event_subscriptions', {
    description: 'demo: everything, everywhere',
    sources: types.map(({ type }) => ({ type })),
    destination_ids: destinationIds,
  });
  operations.add(subscription.answer.operationId);
  screen.say(`Subscribed all of them to ${types.length} event types. Making ${plannedChanges} changes:`);

  const show = () => screen.progress(progressLine(operations.size - 1, plannedChanges, counts(sandbox)));
  await makeChanges(api, admin, subscription.id, (operationId) => {
    operations.add(operationId);
    show();
  });
  await arrival(sandbox, operations.size, show);
  screen.say(progressLine(operations.size - 1, plannedChanges, counts(sandbox)));
  const targets = targetKinds.map(
    (kind) => [kind, tally(sandbox.received({ target: kind }), operations)] as const,
  );
  return {
    published: operations.size,
    targets: Object.fromEntries(targets) as Record<TargetKind, TargetTally>,
  };
}

function counts(sandbox: Sandbox): Record<TargetKind, number> {
  const entries = targetKinds.map((kind) => [kind, sandbox.received({ target: kind }).length]);
  return Object.fromEntries(entries) as Record<TargetKind, number>;
}

/** Waits until every target has as many events as were published and nothing more comes, or the time is over. */
async function arrival(sandbox: Sandbox, published: number, show: () => void): Promise<void> {
  const deadline = Date.now() + arriveWithinMs;
  let before = -1;
  while (Date.now() < deadline) {
    const now = counts(sandbox);
    const all = Object.values(now).reduce((sum, count) => sum + count, 0);
    const complete = targetKinds.every((kind) => now[kind] >= published);
    show();
    if (complete && all === before) return;
    before = all;
    await sleep(complete ? settleMs : 100);
  }
}
