import { completeSince } from '../../database/complete-since.js';
import type { RetainedKind, RetentionMarks } from '../../database/retention-marks.js';
import type { EventFilter } from './event-filter.js';
import type { SearchFillStore } from './search-fill-store.js';

/** Says since when a list of events or deliveries is complete. */
export class Completeness {
  constructor(
    private readonly marks: Pick<RetentionMarks, 'of'>,
    private readonly fill: Pick<SearchFillStore, 'completeSince'>,
  ) {}

  /**
   * Reads a list, and returns since when it has every item of the account that passes the filter: earlier items were
   * removed, or are not prepared for the search. Null when the list misses nothing.
   * @param kinds what the list reads
   */
  async reading<List>(
    accountId: string,
    kinds: readonly RetainedKind[],
    filter: EventFilter,
    read: () => Promise<List>,
  ): Promise<{ readonly list: List; readonly since: Date | null }> {
    // Preparing proceeds towards older events, and retention towards newer ones. So neither time is earlier than that
    // of the list, whatever is committed while it is read.
    const unprepared = readsPreparedColumns(filter) ? await this.fill.completeSince() : null;
    const list = await read();
    const marks = await this.marks.of(accountId);
    const removed = kinds.map((kind) => marks.get(kind) ?? null);
    return { list, since: completeSince(filter.from, [...removed, unprepared]) };
  }
}

/** Whether a filter reads columns that a task fills in events of earlier releases. */
function readsPreparedColumns({ principalId, credentialId, operationId, changed }: EventFilter): boolean {
  return [principalId, credentialId, operationId, changed].some((value) => value !== undefined);
}
