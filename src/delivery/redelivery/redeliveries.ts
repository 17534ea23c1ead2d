import { unobserved, type DeliveryObserver } from '../delivery-observer.js';
import type { Dispatcher } from '../dispatch/dispatcher.js';
import type { FinishedRange, RangeCursor, RedeliveryStore } from './redelivery-store.js';

/** Deliveries that are made pending in one transaction: for so long their lane is locked. */
const STEP = 1_000;

/** Deliveries after which a range ends early: a few seconds of work, less than clients and balancers wait. */
export const MAX_REDELIVERED = 100_000;

/** What became of a wish for a range. */
export interface RangeRedelivered {
  readonly count: number;
  /** Where the rest of the range begins; null when there is none. */
  readonly nextFrom: Date | null;
}

/** Makes deliveries again that had come to an end. They go before everything that waits, in their old order. */
export class Redeliveries {
  /**
   * @param most deliveries after which a range ends early
   * @param observer absent where nothing is measured
   */
  constructor(
    private readonly store: RedeliveryStore,
    private readonly dispatcher: Dispatcher,
    private readonly most: number = MAX_REDELIVERED,
    private readonly observer: DeliveryObserver = unobserved,
  ) {}

  /**
   * Delivers these events again.
   * @returns how many, which leaves out those that are pending anyway; or the events that were never meant for the destination,
   * and then nothing was changed
   */
  async events(
    accountId: string,
    destinationId: string,
    eventIds: readonly string[],
  ): Promise<{ readonly count: number } | { readonly unknown: readonly string[] }> {
    const found = await this.store.find(accountId, destinationId, eventIds);
    const unknown = eventIds.filter((id) => !found.has(id));
    if (unknown.length > 0) return { unknown };
    const count = await this.store.again(destinationId, [...found.values()]);
    this.observer.redelivered(count);
    this.dispatcher.notify([destinationId]);
    return { count };
  }

  /** Delivers a range of finished deliveries again, each of them once, in steps; the lane works while the next is made ready. */
  async range(destinationId: string, range: FinishedRange): Promise<RangeRedelivered> {
    let { to } = range;
    let count = 0;
    let after: RangeCursor | null = null;
    let nextFrom: Date | null = null;
    for (;;) {
      const step = await this.store.step(destinationId, { ...range, to }, after, STEP);
      this.dispatcher.notify([destinationId]);
      count += step.count;
      this.observer.redelivered(step.count);
      if (step.last === null)
        return { count, nextFrom: nextFrom && (await this.rest(destinationId, range, nextFrom)) };
      after = step.last;
      if (count < this.most || nextFrom !== null) continue;
      // Times are in whole milliseconds, and the rest of this one still goes along: no delivery is on both sides.
      nextFrom = new Date(after.createdAt.getTime() + 1);
      if (nextFrom < to) to = nextFrom;
    }
  }

  private async rest(destinationId: string, range: FinishedRange, from: Date): Promise<Date | null> {
    return (await this.store.holds(destinationId, { ...range, from })) ? from : null;
  }
}
