import type { Event } from '@waybill/client';

/** Returns the resource as an event has it. */
export function lastState({ payload }: Event): unknown {
  return payload && 'object' in payload ? payload.object : null;
}

/** Returns what an event type says of a resource: `ip_policy_updated.v0` is `updated`. */
export function actionOf(type: string, familyName: string): string {
  const [name = type] = type.split('.');
  const action = name.startsWith(`${familyName}_`) ? name.slice(familyName.length + 1) : name;
  return action.replaceAll('_', ' ');
}
