import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Delivery } from '@waybill/client';
import { pagesOf } from '../../../api/pages.js';
import { request } from '../../../api/request.js';
import { isExact, sizeOf, type NumberWindow } from './number-window.js';
import type { RibbonInput } from './ribbon-cells.js';

/** Deliveries of a page of the API. */
const PAGE = 100;
/** Pages that are read at a time. */
const AT_A_TIME = 3;
/** Most pages of a state, where the window is too large to read it as a whole. */
const MOST_PAGES = 5;
/** Most pages of one range of numbers: a page may be empty while there is more to search. */
const MOST_CONTINUED = 20;

/** Time between reads, in milliseconds: of a page of numbers, and of more. */
const REFRESH_MS = 5_000;
const SLOW_REFRESH_MS = 20_000;

/** What the ribbon was made of, and whether failed deliveries were left out. */
export interface RibbonReading extends RibbonInput {
  /** The numbers that were read. */
  readonly window: NumberWindow;
  readonly deliveries: readonly Delivery[];
  /** Whether there are more failed deliveries than were read. */
  readonly isCut: boolean;
}

/**
 * The deliveries of a window of numbers: all of them where the window is small enough, otherwise the newest ones that
 * failed or wait.
 */
export function ribbonQuery(id: string, window: NumberWindow) {
  const exact = isExact(window);
  return queryOptions({
    queryKey: ['destination', id, 'ribbon', window.from, window.to],
    queryFn: ({ signal }) => (exact ? readAll(id, window, signal) : readFailed(id, window, signal)),
    placeholderData: keepPreviousData,
    refetchInterval: sizeOf(window) <= PAGE ? REFRESH_MS : SLOW_REFRESH_MS,
  });
}

async function readAll(id: string, window: NumberWindow, signal: AbortSignal): Promise<RibbonReading> {
  const ranges: NumberWindow[] = [];
  for (let from = window.from; from <= window.to; from += PAGE) {
    ranges.push({ from, to: Math.min(from + PAGE - 1, window.to) });
  }
  const deliveries: Delivery[] = [];
  let completeSince: string | undefined;
  for (let next = 0; next < ranges.length; next += AT_A_TIME) {
    const pages = await Promise.all(ranges.slice(next, next + AT_A_TIME).map((range) => readRange(id, range, signal)));
    for (const page of pages) {
      deliveries.push(...page.deliveries);
      completeSince ??= page.completeSince;
    }
  }
  // An attempt may have given back the last numbers since the window was chosen. Where the next attempt took them again
  // while this was read, they are called missing until the next read.
  const isWhole = deliveries.some(({ sequence }) => sequence === window.to);
  const last = isWhole ? undefined : await lastNumber(id, signal);
  return { window, deliveries, isComplete: true, last, completeSince, isCut: false };
}

async function lastNumber(id: string, signal: AbortSignal): Promise<number> {
  const status = await request('GET', '/event_destinations/{id}/status', { path: { id }, signal });
  return status.last_sequence;
}

/** Reads the deliveries of at most a page of numbers. */
async function readRange(id: string, { from, to }: NumberWindow, signal: AbortSignal) {
  const query = { limit: PAGE, sequence_from: from, sequence_to: to };
  return readPages(id, query, MOST_CONTINUED, signal);
}

async function readFailed(id: string, window: NumberWindow, signal: AbortSignal): Promise<RibbonReading> {
  const states = ['rejected', 'expired', 'in_flight'] as const;
  const read = await Promise.all(states.map((state) => readPages(id, { limit: PAGE, state }, MOST_PAGES, signal)));
  return {
    window,
    deliveries: read.flatMap(({ deliveries }) => deliveries),
    isComplete: false,
    isCut: read.some(({ isEnd }) => !isEnd),
  };
}

/** Filters of the list of deliveries that the ribbon uses. */
interface RibbonPageQuery {
  readonly limit: number;
  readonly state?: Delivery['state'];
  readonly sequence_from?: number;
  readonly sequence_to?: number;
}

/** Reads pages of deliveries until the list ends, or `most` pages. */
async function readPages(id: string, query: RibbonPageQuery, most: number, signal: AbortSignal) {
  const deliveries: Delivery[] = [];
  let completeSince: string | undefined;
  let pages = 0;
  const read = (before?: string) =>
    request('GET', '/event_destinations/{id}/deliveries', {
      path: { id },
      query: { ...query, before_id: before },
      signal,
    });
  for await (const page of pagesOf(read)) {
    deliveries.push(...page.deliveries);
    completeSince ??= page.complete_since;
    pages += 1;
    if (pages === most) return { deliveries, completeSince, isEnd: page.next_page_uri === null };
  }
  return { deliveries, completeSince, isEnd: true };
}
