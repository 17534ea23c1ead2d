import { undeliveredStates, type UndeliveredFilter } from '../../api/undelivered.js';
import { listParam, textParam } from '../../app/search-params.js';

/** Reads the parameters of the list. What is not one of them is ignored. */
export function readSearch(search: Record<string, unknown>): UndeliveredFilter {
  return {
    state: listParam(textParam(search.state), undeliveredStates)?.[0],
    destination_id: textParam(search.destination_id),
  };
}
