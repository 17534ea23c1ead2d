import type { Output } from '@waybill/client';
import { request } from './request.js';

/**
 * What a destination delivered in each step of a period. delivered: deliveries that arrived. failed: those that were
 * rejected or expired, and failed tries.
 */
export type Rates = Pick<Output<'listEventDestinationMetrics'>['destinations'][number], 'delivered' | 'failed'>;

const noRates: Rates = { delivered: [], failed: [] };

/** Most destinations of one request: those of a page of the list. */
const MOST = 100;

/** Time in which requests for single destinations are collected, in milliseconds: no row that flies past is read. */
const COLLECT_MS = 150;

const HOUR_MS = 3_600_000;

interface Wanted {
  readonly id: string;
  readonly signal: AbortSignal;
  readonly resolve: (rates: Rates) => void;
  readonly reject: (error: unknown) => void;
}

let wanted: Wanted[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Returns the deliveries of a destination in the minutes of the last hour. The rows of a table ask one by one; their
 * requests are sent together.
 * @param signal aborted when the row is not shown any more
 * @throws ProblemError, ConnectionError, the reason of the signal
 */
export function lastHourOf(id: string, signal: AbortSignal): Promise<Rates> {
  return new Promise((resolve, reject) => {
    wanted.push({ id, signal, resolve, reject });
    timer ??= setTimeout(flush, COLLECT_MS);
  });
}

function flush(): void {
  timer = undefined;
  for (const { signal, reject } of wanted) if (signal.aborted) reject(signal.reason);
  const all = wanted.filter(({ signal }) => !signal.aborted);
  wanted = [];
  for (let from = 0; from < all.length; from += MOST) void load(all.slice(from, from + MOST));
}

async function load(some: readonly Wanted[]): Promise<void> {
  try {
    const now = Date.now();
    const query = {
      destination_id: some.map(({ id }) => id),
      limit: MOST,
      from: new Date(now - HOUR_MS).toISOString(),
      to: new Date(now).toISOString(),
      step: '1m' as const,
    };
    const { destinations } = await request('GET', '/event_destinations/metrics', { query });
    const byId = new Map(destinations.map((one) => [one.id, one]));
    for (const { id, resolve } of some) resolve(byId.get(id) ?? noRates);
  } catch (error) {
    for (const { reject } of some) reject(error);
  }
}
