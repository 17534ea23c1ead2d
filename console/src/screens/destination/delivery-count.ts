import { cursorOf } from '../../api/cursor.js';
import { request } from '../../api/request.js';

/** Deliveries of a page of the API. */
const PAGE = 100;

/** Most pages that are counted. */
const MOST_PAGES = 20;

/** Finished deliveries that can be sent again. */
export interface RedeliveryRange {
  readonly state: 'rejected' | 'expired' | 'delivered';
  /** RFC 3339: events recorded at or after this time. */
  readonly from?: string | undefined;
  /** RFC 3339: events recorded before this time. */
  readonly to?: string | undefined;
}

/** A number of deliveries. */
export interface DeliveryCount {
  readonly value: number;
  /** Whether the real number is higher. */
  readonly atLeast: boolean;
}

/**
 * Counts the deliveries of a range.
 * @param mostPages most pages of 100 that are counted
 * @throws ProblemError, ConnectionError
 */
export async function countDeliveries(
  id: string,
  { state, from, to }: RedeliveryRange,
  signal: AbortSignal,
  mostPages: number = MOST_PAGES,
): Promise<DeliveryCount> {
  let value = 0;
  let before: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const read = await request('GET', '/event_destinations/{id}/deliveries', {
      path: { id },
      query: {
        limit: PAGE,
        state,
        ...(from !== undefined && { from }),
        ...(to !== undefined && { to }),
        ...(before !== undefined && { before_id: before }),
      },
      signal,
    });
    value += read.deliveries.length;
    before = cursorOf(read.next_page_uri);
    if (before === undefined) return { value, atLeast: false };
  }
  return { value, atLeast: true };
}

/**
 * Makes the deliveries of a range wait again: one request after another where there are many.
 * @returns how many wait again
 * @throws ProblemError, ConnectionError
 */
export async function redeliverRange(id: string, range: RedeliveryRange): Promise<number> {
  let count = 0;
  let from = range.from;
  for (;;) {
    const accepted = await redeliverPart(id, { ...range, from });
    count += accepted.count;
    if (accepted.next_from === null) return count;
    from = accepted.next_from;
  }
}

function redeliverPart(id: string, { state, from, to }: RedeliveryRange) {
  const end = to === undefined ? {} : { to };
  const path = { id };
  if (state === 'delivered') {
    // The API refuses delivered events without a begin, with the pointer of the field.
    return request('POST', '/event_destinations/{id}/redeliveries', {
      path,
      body: { state, from: from ?? '', ...end },
    });
  }
  const begin = from === undefined ? {} : { from };
  return request('POST', '/event_destinations/{id}/redeliveries', { path, body: { state, ...begin, ...end } });
}

/** Makes the deliveries of single events wait again. @returns how many wait again */
export async function redeliverEvents(id: string, eventIds: readonly string[]): Promise<number> {
  const { count } = await request('POST', '/event_destinations/{id}/redeliveries', {
    path: { id },
    body: { event_ids: [...eventIds] },
  });
  return count;
}
