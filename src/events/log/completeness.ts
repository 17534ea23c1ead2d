import { completeSince } from '../../database/complete-since.js';
import type { RetainedKind, RetentionMarks } from '../../database/partitions/retention-marks.js';
import type { EventFilter } from './event-filter.js';

/** Says since when a list of events or deliveries is complete. */
export class Completeness {
  constructor(private readonly marks: Pick<RetentionMarks, 'of'>) {}

  /**
   * Reads a list, and returns since when it has every item of the account that passes the filter: earlier items were
   * removed. Null when the list misses nothing.
   * @param kinds what the list reads
   */
  async reading<List>(
    accountId: string,
    kinds: readonly RetainedKind[],
    filter: EventFilter,
    read: () => Promise<List>,
  ): Promise<{ readonly list: List; readonly since: Date | null }> {
    // The marks are read after the list: what is removed in between is marked then.
    const list = await read();
    const marks = await this.marks.of(accountId);
    const removed = kinds.map((kind) => marks.get(kind) ?? null);
    return { list, since: completeSince(filter.from, removed) };
  }
}
