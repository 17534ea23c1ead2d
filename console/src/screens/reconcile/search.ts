import { textParam } from '../../app/search-params.js';

/** Parameters of the reconciliation. */
export interface ReconcileSearch {
  /** Id of the destination. */
  readonly destination?: string | undefined;
}

/** Reads the parameters of the reconciliation. What is not one of them is ignored. */
export function readSearch(search: Record<string, unknown>): ReconcileSearch {
  return { destination: textParam(search.destination) };
}
