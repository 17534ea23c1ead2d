import { unobserved, type DeliveryObserver } from '../delivery-observer.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { FinishedRange, RangeCursor, RedeliveryStore } from './redelivery-store.js';

/** Deliveries of one transaction: their lane is locked for its duration. */
const PAGE_SIZE = 1_000;

/**
 * Deliveries after which the range of a request ends early: a few seconds of work, below the timeouts of clients and
 * load balancers.
 */
export const MAX_REDELIVERED = 100_000;

/** A range whose end may be left to the database's clock. */
export type RequestedRange = Omit<FinishedRange, 'to'> & { readonly to: Date | undefined };

/** Result of a range redelivery. */
export interface RangeRedelivered {
  readonly count: number;
  /** Start of the rest of the range; null when nothing is left. */
  readonly nextFrom: Date | null;
}

/** Redelivers finished deliveries. They go before all waiting deliveries, in their original order. */
export class Redeliveries {
  constructor(
    private readonly store: RedeliveryStore,
    private readonly dispatcher: Dispatcher,
    private readonly observer: DeliveryObserver = unobserved,
  ) {}

  /**
   * Redelivers these events.
   * @returns how many deliveries are pending again, without those that were pending before; or, when some events have
   * no delivery to the destination, or are erased, those events, and nothing was changed
   */
  async events(
    accountId: string,
    destinationId: string,
    eventIds: readonly string[],
  ): Promise<
    { readonly count: number } | { readonly unknown: readonly string[] } | { readonly erased: readonly string[] }
  > {
    const found = await this.store.find(accountId, destinationId, eventIds);
    const unknown = eventIds.filter((id) => !found.has(id));
    if (unknown.length > 0) return { unknown };
    const erased = await this.store.erased(eventIds);
    if (erased.length > 0) return { erased };
    const count = await this.store.redeliver(destinationId, [...found.values()]);
    this.observer.redelivered(count);
    this.dispatcher.notify([destinationId]);
    return { count };
  }

  /**
   * Redelivers a range of finished deliveries, each once, page by page: the lane delivers one page while the next is
   * made pending. A failure behind a page is the end of a part of the range: a client that repeated the range would
   * redeliver that page again. A lasting failure fails the request for the rest.
   * @param requested without `to`, the range ends at the present
   * @param most deliveries after which the range ends early
   */
  async range(
    destinationId: string,
    requested: RequestedRange,
    most: number = MAX_REDELIVERED,
  ): Promise<RangeRedelivered> {
    const range: FinishedRange = { ...requested, to: requested.to ?? (await this.store.now()) };
    let { to } = range;
    let count = 0;
    let after: RangeCursor | null = null;
    let nextFrom: Date | null = null;
    try {
      for (;;) {
        const page = await this.store.redeliverPage(destinationId, { ...range, to }, after, PAGE_SIZE);
        this.dispatcher.notify([destinationId]);
        count += page.count;
        this.observer.redelivered(page.count);
        if (page.last === null)
          return {
            count,
            nextFrom: nextFrom && (await this.startOfRest(destinationId, range, nextFrom).catch(() => nextFrom)),
          };
        after = page.last;
        if (count < most || nextFrom !== null) continue;
        // Times have whole milliseconds. The rest of this one is included, so that no delivery is on both sides of the
        // boundary.
        nextFrom = new Date(after.createdAt.getTime() + 1);
        if (nextFrom < to) to = nextFrom;
      }
    } catch (error) {
      if (count === 0 || after === null) throw error;
      // Only deliveries of this millisecond can be on both sides.
      return { count, nextFrom: after.createdAt };
    }
  }

  private async startOfRest(destinationId: string, range: FinishedRange, from: Date): Promise<Date | null> {
    return (await this.store.isNonEmpty(destinationId, { ...range, from })) ? from : null;
  }
}
