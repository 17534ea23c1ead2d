import type { ApiMethods } from './api-methods.js';
import type { Delivery } from './generated/types.js';
import { timeLimit } from './limits.js';
import { jittered, sleep } from './retry.js';

/** What `waitForDelivery` waits for, and how long. */
export interface DeliveryWait {
  /** Waits for the delivery to this destination only. */
  readonly destinationId?: string;
  /** Most time to wait, in milliseconds; default: 60,000. */
  readonly timeoutMs?: number;
  /** Ends the wait. The promise rejects with the signal's reason. */
  readonly signal?: AbortSignal;
}

/** A delivery was rejected, has expired or was cancelled. */
export class WaybillDeliveryError extends Error {
  override readonly name = 'WaybillDeliveryError';

  constructor(
    readonly eventId: string,
    /** The deliveries that failed. */
    readonly failed: readonly Delivery[],
    /** All deliveries of the wait. */
    readonly deliveries: readonly Delivery[],
  ) {
    const texts = failed.map(
      ({ destination_id: id, state, error }) => `to ${id}: ${state}${error && ` (${error.code}: ${error.message})`}`,
    );
    super(`Event ${eventId} was not delivered: ${texts.slice(0, 3).join('; ')}${texts.length > 3 ? '; …' : ''}`);
  }
}

/** Not all deliveries were settled in time. */
export class WaybillDeliveryTimeoutError extends Error {
  override readonly name = 'WaybillDeliveryTimeoutError';

  constructor(
    readonly eventId: string,
    /** The deliveries as they were last read; empty if the event has none, because no subscription includes it. */
    readonly deliveries: readonly Delivery[],
    timeoutMs: number,
  ) {
    const open = deliveries.filter(({ state }) => state !== 'delivered').length;
    const state = deliveries.length === 0 ? 'has no delivery' : `has ${open} unfinished deliveries`;
    super(`Event ${eventId} ${state} after ${timeoutMs} ms.`);
  }
}

const FAILED: readonly Delivery['state'][] = ['rejected', 'expired', 'cancelled'];
const DEFAULT_TIMEOUT_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Polls until an event has deliveries and all of them are delivered. Returns them.
 *
 * @throws WaybillDeliveryError when one of them failed for good, WaybillDeliveryTimeoutError when the time is up
 */
export async function waitForDelivery(
  api: ApiMethods,
  eventId: string,
  { destinationId, timeoutMs = DEFAULT_TIMEOUT_MS, signal }: DeliveryWait,
): Promise<readonly Delivery[]> {
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeLimit(timeoutMs));
  const stop = (): void => deadline.abort();
  signal?.addEventListener('abort', stop, { once: true });
  let deliveries: readonly Delivery[] = [];
  try {
    signal?.throwIfAborted();
    for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.5, LONGEST_PAUSE_MS)) {
      deliveries = await read(api, eventId, destinationId, deadline.signal);
      const failed = deliveries.filter(({ state }) => FAILED.includes(state));
      if (failed.length > 0) throw new WaybillDeliveryError(eventId, failed, deliveries);
      if (deliveries.length > 0 && deliveries.every(({ state }) => state === 'delivered')) return deliveries;
      await sleep(jittered(pause), deadline.signal);
    }
  } catch (error) {
    if (error instanceof WaybillDeliveryError || !deadline.signal.aborted) throw error;
    signal?.throwIfAborted();
    throw new WaybillDeliveryTimeoutError(eventId, deliveries, timeoutMs);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
  }
}

async function read(
  api: ApiMethods,
  eventId: string,
  destinationId: string | undefined,
  signal: AbortSignal,
): Promise<readonly Delivery[]> {
  const found: Delivery[] = [];
  for await (const delivery of api.events.listDeliveries(eventId, { limit: 100 }, { signal })) {
    if (destinationId === undefined || delivery.destination_id === destinationId) found.push(delivery);
  }
  return found;
}
