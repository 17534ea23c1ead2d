import type { ApiKey, CreateEventDestination, Delivery, Event, Waybill } from '@waybill/client';

/** What the calls of the README returned. */
export interface ReadmeResult {
  readonly key: ApiKey;
  readonly events: readonly Event[];
  readonly deliveries: readonly Delivery[];
  /** Deliveries of the first event, at every destination. */
  readonly ofFirstEvent: readonly Delivery[];
  /** Number of deliveries of the destination that were rejected. */
  readonly rejected: number;
  readonly pending: number;
}

/** The target of the README. Its type is a member of the body of the request. */
const target: CreateEventDestination['target'] = {
  monitoring: { api_key: '0123456789abcdef0123456789abcdef', site: 'datadoghq.eu', service: 'audit' },
};

/** Makes the calls of the README's walk-through, and of its audit questions. */
export async function makeReadmeCalls(admin: Waybill, withKey: (token: string) => Waybill): Promise<ReadmeResult> {
  const bot = await admin.botUsers.create({ name: 'audit pipeline' });
  const key = await admin.apiKeys.create({ owner_id: bot.id, description: 'key of the audit pipeline' });
  const waybill = withKey(key.token ?? '');

  const destination = await waybill.eventDestinations.create({ description: 'audit trail', target });
  await waybill.eventSubscriptions.create({
    sources: [{ type: 'ip_policy_created.v0' }, { type: 'ip_policy_updated.v0' }],
    destination_ids: [destination.id],
  });

  const policy = await waybill.ipPolicies.create({ description: 'office' });
  await waybill.ipPolicies.update(policy.id, { description: 'office, second floor' });

  const { events } = await waybill.events.list({ limit: 2 }).page();
  for (const event of events) await waybill.waitForDelivery(event.id, { destinationId: destination.id });

  const { deliveries } = await waybill.eventDestinations.listDeliveries(destination.id).page();
  const [first] = events;
  const ofFirstEvent: Delivery[] = [];
  if (first) for await (const delivery of waybill.events.listDeliveries(first.id)) ofFirstEvent.push(delivery);
  let rejected = 0;
  for await (const { state } of waybill.eventDestinations.listDeliveries(destination.id, { state: 'rejected' }))
    if (state === 'rejected') rejected += 1;
  await waybill.eventDestinations.redeliverEvents(destination.id, { state: 'rejected' });
  const { pending } = await waybill.eventDestinations.getStatus(destination.id);
  await waybill.eventDestinations.test(destination.id);
  return { key, events, deliveries, ofFirstEvent, rejected, pending };
}
