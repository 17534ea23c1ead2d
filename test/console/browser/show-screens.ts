import type { JsonObject, TestClient } from '../../support/api-client.js';
import type { ConsoleSite } from './console-site.js';

/** Makes what the screens show: a destination that works, and one that is misconfigured with seven events waiting. */
export async function populate({ events }: ConsoleSite): Promise<void> {
  const { admin } = events.api;
  const healthy = await events.destination();
  await admin.patch(healthy.path, { description: 'Security lake' });
  const broken = await events.destination();
  await admin.patch(broken.path, { description: 'Audit trail of the payment team' });
  events.sandbox.script({ kind: 'deny', address: broken.arn });
  await events.publish(6);
  await admin.create('/event_subscriptions', {
    destination_ids: [healthy.id, broken.id],
    sources: [{ type: 'ip_policy_updated.v0' }],
  });
  const policy = await pathOfNewest(admin, 'ip_policies');
  await admin.patch(policy, { description: 'Office in Berlin', metadata: '{"team":"payment"}' });
  await events.ended(healthy.path, 'delivered', 7);
}

/** Returns the path of the newest resource of a list. */
async function pathOfNewest(client: TestClient, list: string): Promise<string> {
  const { body } = await client.get(`/${list}?limit=1`);
  const [newest] = body[list] as readonly JsonObject[];
  return `/${list}/${String(newest?.id)}`;
}
