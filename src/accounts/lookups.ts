import { Grouped, type GroupLimits } from '../timing/grouped.js';
import { withTimeout } from '../timing/with-timeout.js';

/** A query that hangs delays the next one by 50 ms. */
const GROUPS: GroupLimits = { groups: 4, items: 100, patienceMs: 50 };

/**
 * Longest lookup, in milliseconds. The queries of a server that hangs fail after 25 s, and those that wait for them
 * would then try to connect for ten more: longer than most clients wait.
 */
const LONGEST_MS = 10_000;

/**
 * Looks up credentials. Calls that arrive during a query share the next query, so the lookups of any number of requests
 * need few connections.
 */
export class Lookups<Wanted, Found extends object | null> {
  private readonly grouped: Grouped<Wanted, Found>;

  /**
   * @param findAll returns what was found for each, in order
   * @param keyOf calls with an equal key are one
   */
  constructor(findAll: (wanted: readonly Wanted[]) => Promise<readonly Found[]>, keyOf: (wanted: Wanted) => string) {
    this.grouped = new Grouped(findAll, GROUPS, { mayBeOfOne: () => false, key: keyOf });
  }

  /** @throws Error of a store failure after ten seconds; what the query throws */
  async find(wanted: Wanted): Promise<Found> {
    const found = await withTimeout(this.grouped.call(wanted), LONGEST_MS);
    if (found !== undefined) return found;
    const error = new Error(
      `The database did not respond to the lookup of a key or session within ${LONGEST_MS / 1_000} s.`,
    );
    throw Object.assign(error, { code: 'ETIMEDOUT' });
  }
}
