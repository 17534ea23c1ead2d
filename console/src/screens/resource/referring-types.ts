import type { EventType } from '@waybill/client';
import { families, type Family } from '../../api/families.js';

/** Most types of one search of events, as the API takes them. */
const MOST_TYPES = 20;

/** Returns the families whose resources can refer to one, such as the rules of IP policies, or are parts of it. */
export function referringFamilies({ name }: Family): readonly Family[] {
  return families.filter(
    ({ refersTo, parent, hasHistory }) => hasHistory && (refersTo.includes(name) || parent?.family === name),
  );
}

/** Types of events that are looked at, and those that are too many for one search. */
export interface ReferringTypes {
  readonly searched: readonly string[];
  readonly left: readonly string[];
}

/** Returns the event types of the creation, the changes and the deletion of resources of families. */
export function typesOf(found: readonly Family[], types: readonly EventType[]): ReferringTypes {
  const starts = found.flatMap(({ name }) => [`${name}_created.`, `${name}_updated.`, `${name}_deleted.`]);
  const all = types.map(({ type }) => type).filter((type) => starts.some((start) => type.startsWith(start)));
  return { searched: all.slice(0, MOST_TYPES), left: all.slice(MOST_TYPES) };
}
