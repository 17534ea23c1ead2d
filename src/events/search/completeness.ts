import type { RetainedKind, RetentionMarks } from '../../database/retention-marks.js';
import type { EventFilter } from './event-filter.js';
import type { SearchFillStore } from './search-fill-store.js';

/** Says since when a list of events or deliveries is complete. */
export class Completeness {
  constructor(
    private readonly marks: Pick<RetentionMarks, 'completeSince'>,
    private readonly fill: Pick<SearchFillStore, 'completeSince'>,
  ) {}

  /**
   * Reads a list, and returns since when it has every item of the account that passes the filter: earlier items were
   * removed, or are not prepared for the search. Null when the list misses nothing.
   */
  async reading<List>(
    accountId: string,
    kind: RetainedKind,
    filter: EventFilter,
    read: () => Promise<List>,
  ): Promise<{ readonly list: List; readonly since: Date | null }> {
    // Preparing proceeds towards older events, and retention towards newer ones. So neither time is earlier than that
    // of the list, whatever is committed while it is read.
    const unprepared = readsPreparedColumns(filter) ? await this.fill.completeSince() : null;
    const list = await read();
    const removed = await this.marks.completeSince(accountId, kind);
    const since = latest(removed, unprepared);
    return { list, since: since === null || (filter.from !== undefined && filter.from >= since) ? null : since };
  }
}

/** Whether a filter reads columns that a task fills in events of earlier releases. */
function readsPreparedColumns({ principalId, credentialId, operationId, changed }: EventFilter): boolean {
  return [principalId, credentialId, operationId, changed].some((value) => value !== undefined);
}

function latest(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one > other ? one : other;
}
