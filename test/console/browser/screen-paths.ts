import { until } from '../../../tools/harness/until.js';
import type { JsonObject } from '../../support/api-client.js';
import type { ConsoleSite } from './console-site.js';
import { rejectOne } from './undelivered.js';

/** Returns the path of the newest event of an update. */
export async function pathOfUpdate({ events }: ConsoleSite): Promise<string> {
  const { body } = await events.api.admin.get('/events?type=ip_policy_updated.v0&limit=1');
  const [event] = body.events as readonly JsonObject[];
  return `/events/${String(event?.id)}`;
}

/** Makes a rejected delivery where there is none, and returns the path of the list with it. */
export async function pathOfNotDelivered({ events }: ConsoleSite): Promise<string> {
  const { body } = await events.api.admin.get('/event_destinations/deliveries?limit=1');
  if ((body.deliveries as readonly JsonObject[]).length === 0) await rejectOne(events, await events.destination(), 1);
  return '/not-delivered';
}

/** Makes an export, and returns the path of the list with it. */
export async function pathOfExports({ events }: ConsoleSite): Promise<string> {
  const { admin } = events.api;
  const { path } = await admin.create('/exports', { format: 'ndjson', filter: { type: ['ip_policy_created.v0'] } });
  await until(async () => (await admin.get(path)).body.state === 'completed', 'the export is complete');
  return '/exports';
}

/** Returns the path of the newest subscription that has a destination. */
export async function pathOfSubscription({ events }: ConsoleSite): Promise<string> {
  const { body } = await events.api.admin.get('/event_subscriptions');
  const all = body.event_subscriptions as readonly {
    readonly id: string;
    readonly destinations: readonly JsonObject[];
  }[];
  const found = all.find(({ destinations }) => destinations.length > 0);
  return `/destinations/${String(found?.destinations[0]?.id)}/subscriptions/${String(found?.id)}`;
}
