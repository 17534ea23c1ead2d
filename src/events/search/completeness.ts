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
   * Returns since when a list with this filter has every item of the account: earlier items were removed, or are not
   * prepared for the search. Null when the list misses nothing. Call it after reading the list.
   */
  async of(accountId: string, kind: RetainedKind, filter: EventFilter): Promise<Date | null> {
    const removed = await this.marks.completeSince(accountId, kind);
    const unprepared = readsPreparedColumns(filter) ? await this.fill.completeSince() : null;
    const since = latest(removed, unprepared);
    return since === null || (filter.from !== undefined && filter.from >= since) ? null : since;
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
