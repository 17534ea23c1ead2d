import { listParam, textParam } from '../../app/search-params.js';
import { states, type RowFilter } from './rows.js';

/** Parameters of the overview. */
export interface OverviewSearch extends RowFilter {
  /** Id of a column; with `-` before it, descending. */
  readonly sort?: string | undefined;
}

/** Reads the parameters of the overview. What is not one of them is ignored. */
export function readSearch(search: Record<string, unknown>): OverviewSearch {
  return {
    q: textParam(search.q),
    state: listParam(search.state, states),
    not_delivered: search.not_delivered === 'true' ? 'true' : undefined,
    cause: textParam(search.cause),
    muted: search.muted === 'true' || search.muted === 'false' ? search.muted : undefined,
    sort: textParam(search.sort),
  };
}
