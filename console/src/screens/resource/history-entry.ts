import type { Event } from '@waybill/client';
import { isObject } from '../../api/references.js';

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
  readonly changes: readonly Change[];
}

/** A member that an update changed. */
export interface Change {
  readonly name: string;
  /** Short texts; null where the event leaves the values out. */
  readonly values: { readonly before: string; readonly after: string } | null;
}

/** Longest text of a value that is shown in full. */
const LONGEST = 60;

/** Returns an event as an entry of the history. @param familyName as the type of the event begins */
export function entryOf({ id, type, created_at: at, payload }: Event, familyName: string): HistoryEntry {
  const { principal } = payload;
  const credential: unknown = 'credential' in principal ? principal.credential : null;
  return {
    id,
    at,
    action: actionOf(type, familyName),
    subject: principal.subject,
    keyId: isObject(credential) && typeof credential.id === 'string' ? credential.id : null,
    changes: changesOf(payload),
  };
}

/** Returns the resource as an event has it. */
export function lastState({ payload }: Event): unknown {
  return 'object' in payload ? payload.object : null;
}

/** `ip_policy_updated.v0` is `updated`. */
function actionOf(type: string, familyName: string): string {
  const [name = type] = type.split('.');
  const action = name.startsWith(`${familyName}_`) ? name.slice(familyName.length + 1) : name;
  return action.replaceAll('_', ' ');
}

function changesOf(payload: Event['payload']): readonly Change[] {
  if (!('changes' in payload) || !isObject(payload.changes)) return [];
  const { before, after, omitted }: Readonly<Record<string, unknown>> = { ...payload.changes };
  const old = isObject(before) ? before : {};
  const now = isObject(after) ? after : {};
  const left: readonly unknown[] = Array.isArray(omitted) ? omitted : [];
  return [
    ...[...new Set([...Object.keys(old), ...Object.keys(now)])].map((name) => ({
      name,
      values: { before: shortText(old[name]), after: shortText(now[name]) },
    })),
    ...left.map((name) => ({ name: String(name), values: null })),
  ];
}

/** Returns a value as a short text. */
export function shortText(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
