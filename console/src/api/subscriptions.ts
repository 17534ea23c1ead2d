import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { EventSubscription } from '@waybill/client';
import { request } from './request.js';
import { readVersioned } from './versioned.js';

/** Subscriptions of a page of the API. */
const PAGE = 100;

/** The subscriptions that send events to a destination. */
export function subscriptionsToQuery(destinationId: string) {
  return queryOptions({
    queryKey: ['subscriptions', destinationId],
    queryFn: async ({ signal }) => {
      const all = await allSubscriptions(signal);
      return all.filter(({ destinations }) => destinations.some(({ id }) => id === destinationId));
    },
  });
}

async function allSubscriptions(signal: AbortSignal | undefined): Promise<readonly EventSubscription[]> {
  const all: EventSubscription[] = [];
  let before: string | undefined;
  do {
    const page = await request('GET', '/event_subscriptions', {
      query: { limit: PAGE, ...(before !== undefined && { before_id: before }) },
      ...(signal && { signal }),
    });
    all.push(...page.event_subscriptions);
    before = page.next_page_uri === null ? undefined : page.event_subscriptions.at(-1)?.id;
  } while (before !== undefined);
  return all;
}

/** One subscription with its version. */
export function subscriptionQuery(id: string) {
  return queryOptions({
    queryKey: ['subscription', id],
    queryFn: ({ signal }) => readVersioned<EventSubscription>('/event_subscriptions/{id}', id, { signal }),
  });
}

/** Reads again what is shown of subscriptions after one was changed. */
export async function subscriptionsChanged(client: QueryClient): Promise<void> {
  await Promise.all(['subscriptions', 'subscription'].map((name) => client.invalidateQueries({ queryKey: [name] })));
}

/** Whether no subscription sends anything: there is none, or each has no event type. */
export function sendNothing(subscriptions: readonly EventSubscription[]): boolean {
  return subscriptions.every(({ sources }) => sources.length === 0);
}

/** Returns the subscriptions that send to no other destination. */
export function onlyTo(
  destinationId: string,
  subscriptions: readonly EventSubscription[],
): readonly EventSubscription[] {
  return subscriptions.filter(({ destinations }) => destinations.every(({ id }) => id === destinationId));
}

/**
 * Deletes a destination: a destination that a subscription names cannot be deleted. So it is removed from its
 * subscriptions first, and a subscription that sends to no other destination is deleted.
 * @throws ProblemError, ConnectionError. What was done until then stays, and the deletion can be repeated.
 */
export async function deleteDestination(id: string): Promise<void> {
  const all = await allSubscriptions(undefined);
  const named = all.filter(({ destinations }) => destinations.some((one) => one.id === id));
  const only = new Set(onlyTo(id, named));
  for (const subscription of named) {
    const path = { id: subscription.id };
    if (only.has(subscription)) await request('DELETE', '/event_subscriptions/{id}', { path });
    else await removeFrom(subscription.id, id);
  }
  await request('DELETE', '/event_destinations/{id}', { path: { id } });
}

async function removeFrom(subscriptionId: string, destinationId: string): Promise<void> {
  const { resource, etag } = await readVersioned<EventSubscription>('/event_subscriptions/{id}', subscriptionId, {});
  const others = resource.destinations.map(({ id }) => id).filter((id) => id !== destinationId);
  await request('PATCH', '/event_subscriptions/{id}', {
    path: { id: subscriptionId },
    body: { destination_ids: others },
    ...(etag !== undefined && { ifMatch: etag }),
  });
}
