import type { EventFilterInput } from '@waybill/client';

/** The filters of `GET /events`. They combine. */
export type EventFilter = Readonly<EventFilterInput>;

/** Filters that have one text each, in the order in which they are shown. */
export const textFilters = [
  'ip',
  'text',
  'object_id',
  'principal_id',
  'credential_id',
  'operation_id',
  'changed',
] as const;
/** A filter that has one text. */
export type TextFilter = (typeof textFilters)[number];

/** Names of the filters for people. */
export const filterNames = {
  type: 'Type',
  object_id: 'Resource',
  principal_id: 'Principal',
  credential_id: 'API key',
  operation_id: 'Operation',
  changed: 'Changed member',
  ip: 'Address',
  text: 'Text in the payload',
} as const satisfies Record<TextFilter | 'type', string>;

/** Prefixes of ids that name something else than a resource which a filter finds by its id. */
const prefixes = {
  op: 'operation_id',
  ak: 'credential_id',
  usr: 'principal_id',
  bot: 'principal_id',
} as const satisfies Record<string, TextFilter>;

const id = /^([a-z][a-z0-9_]*)_[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Returns the prefix of a text that is an id of Waybill; null for any other text. */
export function idPrefix(text: string): string | null {
  return id.exec(text)?.[1] ?? null;
}

/** Returns the filter that an id is most probably meant for; null for a text that is no id of Waybill. */
export function filterOfId(text: string): TextFilter | null {
  const prefix = idPrefix(text);
  if (prefix === null) return null;
  const found = Object.entries(prefixes).find(([name]) => name === prefix);
  return found?.[1] ?? 'object_id';
}
