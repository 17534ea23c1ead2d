import type { Event } from '@waybill/client';
import { isObject } from '../../api/references.js';
import { changedValues, type ValueChange } from '../../components/value-changes.js';

/** What happened to a resource, as its history shows it. */
export interface HistoryEntry {
  readonly id: string;
  /** RFC 3339. */
  readonly at: string;
  /** In words: `created`, `updated`, `deleted`. */
  readonly action: string;
  /** Who did it. */
  readonly subject: string;
  /** Id of the API key; null where the service itself made the change. */
  readonly keyId: string | null;
  /** What an update changed. */
  readonly changes: readonly ValueChange[];
  /** Changed members whose values the event leaves out. */
  readonly omitted: readonly string[];
}

/** Returns an event as an entry of the history. @param familyName as the type of the event begins */
export function entryOf({ id, type, created_at: at, payload }: Event, familyName: string): HistoryEntry {
  const principal = payload?.principal;
  const credential: unknown = principal && 'credential' in principal ? principal.credential : null;
  return {
    id,
    at,
    action: actionOf(type, familyName),
    subject: principal?.subject ?? 'erased',
    keyId: isObject(credential) && typeof credential.id === 'string' ? credential.id : null,
    ...changesOf(payload),
  };
}

/** Returns the resource as an event has it. */
export function lastState({ payload }: Event): unknown {
  return payload && 'object' in payload ? payload.object : null;
}

/** `ip_policy_updated.v0` is `updated`. */
function actionOf(type: string, familyName: string): string {
  const [name = type] = type.split('.');
  const action = name.startsWith(`${familyName}_`) ? name.slice(familyName.length + 1) : name;
  return action.replaceAll('_', ' ');
}

function changesOf(payload: Event['payload']): Pick<HistoryEntry, 'changes' | 'omitted'> {
  if (payload === null || !('changes' in payload) || !isObject(payload.changes)) return { changes: [], omitted: [] };
  const { before, after, omitted }: Readonly<Record<string, unknown>> = { ...payload.changes };
  const left: readonly unknown[] = Array.isArray(omitted) ? omitted : [];
  return {
    changes: changedValues(isObject(before) ? before : {}, isObject(after) ? after : {}),
    omitted: left.map(String),
  };
}
