import { queryOptions, type QueryClient } from '@tanstack/react-query';
import type { EventSubscription } from '@waybill/client';
import { timeOfId } from '@waybill/reconcile';
import { pagesOf } from './pages.js';
import { isNotFound } from './problem.js';
import { request } from './request.js';
import { patient } from './retries.js';
import { readVersioned } from './versioned.js';

/** Subscriptions of a page of the API. */
const PAGE = 100;

/** The subscriptions that send events to a destination. */
export function subscriptionsToQuery(destinationId: string) {
  return queryOptions({
    queryKey: ['subscriptions', destinationId],
    queryFn: ({ signal }) => subscriptionsTo(destinationId, signal),
  });
}

async function subscriptionsTo(destinationId: string, signal?: AbortSignal): Promise<readonly EventSubscription[]> {
  const all: EventSubscription[] = [];
  for await (const page of subscriptionPages(signal)) all.push(...page.event_subscriptions);
  return all.filter(({ destinations }) => destinations.some(({ id }) => id === destinationId));
}

/** Reads the subscriptions of the account, page by page. */
function subscriptionPages(signal?: AbortSignal) {
  return pagesOf((before) =>
    request('GET', '/event_subscriptions', {
      query: { limit: PAGE, before_id: before },
      ...(signal && { signal }),
    }),
  );
}

/** Time between reads of all subscriptions, in milliseconds. */
const RECEIVERS_MS = 300_000;

/** Most pages that are read to know which destinations receive events: 4,000 subscriptions. */
const MOST_PAGES = 40;

/** The destinations that receive events. */
export interface Receivers {
  /** Ids of the destinations of subscriptions with an event type; null where there are too many subscriptions. */
  readonly ids: ReadonlySet<string> | null;
  /** When the reading began, in milliseconds since 1970. */
  readonly since: number;
}

/** The destinations that receive events, read again every five minutes. */
export const receiversQuery = queryOptions({
  queryKey: ['subscriptions', 'receivers'],
  queryFn: async ({ signal }): Promise<Receivers> => {
    const [since, ids] = [Date.now(), new Set<string>()];
    let pages = 0;
    for await (const page of subscriptionPages(signal)) {
      for (const one of page.event_subscriptions) {
        if (!sendNothing([one])) for (const { id } of one.destinations) ids.add(id);
      }
      pages += 1;
      if (pages === MOST_PAGES) return { ids: null, since };
    }
    return { ids, since };
  },
  staleTime: RECEIVERS_MS,
  refetchInterval: RECEIVERS_MS,
  ...patient,
});

/**
 * Whether a destination is known to receive no events. One that was created after the reading may have a subscription
 * by now.
 */
export function receivesNothing(destinationId: string, { ids, since }: Receivers): boolean {
  const createdAt = timeOfId(destinationId);
  return ids !== null && !ids.has(destinationId) && createdAt !== null && Date.parse(createdAt) < since;
}

/** One subscription with its version, for a form: it is read each time that the form is opened. */
export function subscriptionQuery(id: string) {
  return queryOptions({
    queryKey: ['subscription', id],
    queryFn: ({ signal }) => readVersioned<EventSubscription>('/event_subscriptions/{id}', id, { signal }),
    gcTime: 0,
  });
}

/** Reads again what is shown of subscriptions after one was changed. */
export function subscriptionsChanged(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: ['subscriptions'] });
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

/** What was done to a subscription: it was deleted, or sends to its other destinations only. */
export type Removal = 'deleted' | 'changed';

/**
 * Deletes a destination: a destination that a subscription names cannot be deleted. So it is removed from its
 * subscriptions first, and a subscription that sends to no other destination is deleted. Each is read just before,
 * and a change of another person after that is refused. What is gone already counts as done.
 * @param onRemoval called after each subscription
 * @throws ProblemError (412 for a change of another person), ConnectionError. What was done until then stays, and the
 * deletion can be repeated.
 */
export async function deleteDestination(id: string, onRemoval: (removal: Removal) => void): Promise<void> {
  for (const { id: subscriptionId } of await subscriptionsTo(id)) {
    const removal = await unlessGone(() => removeFrom(subscriptionId, id));
    if (removal) onRemoval(removal);
  }
  await unlessGone(() => request('DELETE', '/event_destinations/{id}', { path: { id } }));
}

/** Removes a destination from a subscription. @returns null where the subscription does not name it */
async function removeFrom(subscriptionId: string, destinationId: string): Promise<Removal | null> {
  const { resource, etag } = await readVersioned<EventSubscription>('/event_subscriptions/{id}', subscriptionId, {});
  const named = resource.destinations.map(({ id }) => id);
  const others = named.filter((id) => id !== destinationId);
  if (others.length === named.length) return null;
  const version = { path: { id: subscriptionId }, ...(etag !== undefined && { ifMatch: etag }) };
  if (others.length === 0) {
    await request('DELETE', '/event_subscriptions/{id}', version);
    return 'deleted';
  }
  await request('PATCH', '/event_subscriptions/{id}', { ...version, body: { destination_ids: others } });
  return 'changed';
}

/** Does something to a resource. @returns undefined where the resource does not exist */
async function unlessGone<Result>(act: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await act();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
