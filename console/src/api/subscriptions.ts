import { queryOptions } from '@tanstack/react-query';
import type { EventSubscription } from '@waybill/client';
import { request } from './request.js';

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

async function allSubscriptions(signal: AbortSignal): Promise<readonly EventSubscription[]> {
  const all: EventSubscription[] = [];
  let before: string | undefined;
  do {
    const page = await request('GET', '/event_subscriptions', {
      query: { limit: PAGE, ...(before !== undefined && { before_id: before }) },
      signal,
    });
    all.push(...page.event_subscriptions);
    before = page.next_page_uri === null ? undefined : page.event_subscriptions.at(-1)?.id;
  } while (before !== undefined);
  return all;
}
