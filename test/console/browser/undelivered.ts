import type { Created } from '../../support/api-client.js';
import type { DeliveringApi } from '../../support/delivering-api.js';

/** A destination as `DeliveringApi.destination` creates it. */
type Destination = Created & { readonly arn: string };

/**
 * Makes the first rejected delivery of a destination: the target cannot read one of two events that are sent together.
 * @param delivered deliveries that the destination has accepted afterwards
 */
export async function rejectOne(events: DeliveringApi, { path, arn }: Destination, delivered: number): Promise<void> {
  const { admin } = events.api;
  await admin.patch(path, { paused: { reason: 'two events together' } });
  const remove = events.sandbox.script({ kind: 'malformed', address: arn, contains: 'cannot be read' });
  await admin.create('/ip_policies', { description: 'cannot be read' });
  await events.publish(1);
  await admin.patch(path, { paused: null });
  await events.ended(path, 'rejected', 1);
  await events.ended(path, 'delivered', delivered);
  remove();
}
