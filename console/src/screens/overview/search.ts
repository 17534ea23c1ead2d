import { listParam, textParam } from '../../app/search-params.js';
import { states, type State } from './rows.js';

/** Parameters of the overview. */
export interface OverviewSearch {
  /** Text in the name, the id, the service or the error. */
  readonly q?: string | undefined;
  readonly state?: readonly State[] | undefined;
  /** Id of a column; with `-` before it, descending. */
  readonly sort?: string | undefined;
}

/** Reads the parameters of the overview. What is not one of them is ignored. */
export function readSearch(search: Record<string, unknown>): OverviewSearch {
  return { q: textParam(search.q), state: listParam(search.state, states), sort: textParam(search.sort) };
}
