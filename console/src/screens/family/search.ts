import { textParam } from '../../app/search-params.js';

/** Parameters of the list of a family. */
export interface FamilySearch {
  /** Id of the resource whose parts are listed, where the family has a parent. */
  readonly parent?: string | undefined;
  /** Words in the name, the id or the metadata. */
  readonly q?: string | undefined;
}

/** Reads the parameters. What is not one of them is ignored. */
export function readSearch(search: Record<string, unknown>): FamilySearch {
  return { parent: textParam(search.parent), q: textParam(search.q) };
}
