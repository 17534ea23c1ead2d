import type { EventType } from '@waybill/client';
import { familyNamed } from '../../api/families.js';
import { hasWords } from '../../api/names.js';

/** Event types of one kind of resource. */
export interface TypeGroup {
  /** `IP policy`. */
  readonly name: string;
  readonly types: readonly EventType[];
}

/** Returns the event types that have every word of a text in the name or the description. */
export function matchingTypes(types: readonly EventType[], text: string): readonly EventType[] {
  const words = text.trim();
  return types.filter(({ type, description }) =>
    hasWords(`${type} ${type.replaceAll('_', ' ')} ${description}`, words),
  );
}

/** Returns event types by their resource, in the order of the names. */
export function groupsOf(types: readonly EventType[]): readonly TypeGroup[] {
  const groups = new Map<string, EventType[]>();
  for (const one of types) {
    const name = resourceOf(one.type);
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  return [...groups]
    .map(([name, some]) => ({ name, types: some }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
}

/** Returns the resource of a type: of `ip_policy_created.v0`, `IP policy`. */
function resourceOf(type: string): string {
  const name = type.replace(/_[a-z]+\.v\d+$/, '');
  return familyNamed(name)?.one ?? name.replaceAll('_', ' ');
}
