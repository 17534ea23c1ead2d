import { textParam } from '../../app/search-params.js';

/** Parameters of the page of a resource. */
export interface ResourceSearch {
  /** Id of the resource that it is a part of. Without it, the events of the resource say which one that is. */
  readonly parent?: string | undefined;
}

/** Reads the parameters. What is not one of them is ignored. */
export function readSearch(search: Record<string, unknown>): ResourceSearch {
  return { parent: textParam(search.parent) };
}
