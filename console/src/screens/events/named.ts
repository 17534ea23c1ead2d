import type { TextFilter } from '../../api/event-filter.js';
import type { EventRow } from '../../api/events.js';
import type { NamedResource } from '../../api/names.js';
import type { Named } from './suggestions.js';

/** Families whose resources make changes: the filter of what they did comes first. */
const actors: Readonly<Record<string, TextFilter>> = { bot_user: 'principal_id', api_key: 'credential_id' };

/**
 * Returns what names may mean in a search: principals and resources of the events that are shown, and resources of the
 * account.
 */
export function namedIn(rows: readonly EventRow[], resources: readonly NamedResource[]): readonly Named[] {
  const found = new Map<string, Named>();
  for (const { id, name, family } of resources) {
    const actor = actors[family.name];
    found.set(id, { id, name, kind: family.one, filters: [...(actor === undefined ? [] : [actor]), 'object_id'] });
  }
  for (const { principalId: id, subject: name, resourceId, resourceName } of rows) {
    if (!found.has(id)) found.set(id, { id, name, kind: 'in the events shown', filters: ['principal_id'] });
    if (resourceName === null || found.has(resourceId)) continue;
    found.set(resourceId, { id: resourceId, name: resourceName, kind: 'in the events shown', filters: ['object_id'] });
  }
  return [...found.values()];
}
