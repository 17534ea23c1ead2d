import { textParam } from '../../app/search-params.js';

/** Parameters of the page that creates a destination. */
export interface NewDestinationSearch {
  /** The destination, once it is created: the page continues with it after a reload. */
  readonly id?: string | undefined;
}

/** Reads the parameters of the page. What is not one of them is ignored. */
export function readSearch(search: Record<string, unknown>): NewDestinationSearch {
  const id = textParam(search.id);
  return { id: id !== undefined && /^ed_[0-9a-z]{26}$/.test(id) ? id : undefined };
}
