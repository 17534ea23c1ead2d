import type { EventType } from '@waybill/client';
import { families, type Family } from '../../api/families.js';

/** Most types of one search of events, as the API takes them. */
const MOST_TYPES = 20;

/**
 * Returns the families whose resources may refer to one: those that do now, and the parts of its family, such as the
 * rules of IP policies.
 */
export function referringFamilies(family: Family, now: readonly Family[]): readonly Family[] {
  const parts = families.filter(
    ({ name, parent }) => name.startsWith(`${family.name}_`) || parent?.family === family.name,
  );
  return [...new Set([...parts, ...now])].filter(({ hasHistory }) => hasHistory);
}

/** Returns the event types of the creation, the changes and the deletion of resources of families. */
export function typesOf(found: readonly Family[], types: readonly EventType[]): readonly string[] {
  const starts = found.flatMap(({ name }) => [`${name}_created.`, `${name}_updated.`, `${name}_deleted.`]);
  return types
    .map(({ type }) => type)
    .filter((type) => starts.some((start) => type.startsWith(start)))
    .slice(0, MOST_TYPES);
}
