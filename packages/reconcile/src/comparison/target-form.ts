import { withoutColumns, type EventForm } from '@waybill/verify/readers';

/** Kinds of targets that keep the members of an event in a form of their own, and that form. */
const formOfKind: Readonly<Record<string, EventForm | undefined>> = { monitoring: 'attributes', log_ingestion: 'row' };

/** Returns whether a target of this kind keeps events in this form, which is not that of Waybill. */
export function isOwnForm(form: EventForm, targetKind: string): boolean {
  return form !== 'delivered' && formOfKind[targetKind] === form;
}

/**
 * Returns an event without what a target changes when it stores the members one by one: columns of its own in a row,
 * empty values, values as text, and the form of times.
 */
export function plainForm(event: object, form: EventForm): object {
  return plainObject(form === 'row' ? Object.fromEntries(withoutColumns(event)) : event);
}

/** Values by their paths, for each member that has any. */
export type FlatMembers = Readonly<Record<string, object>>;

/**
 * Returns the values in each member of a plain form by their paths. Datadog takes a dot in a name for a path: `a.b` and
 * `b` in `a` are the same. A member that has both stays as it is: one of the values would hide the other.
 */
export function flattened(plainEvent: object): FlatMembers {
  const members = Object.entries(plainEvent).map(([name, member]) => {
    const values = new Map<string, unknown>();
    const count = collect(member, '', values);
    return [name, count === values.size ? Object.fromEntries(values) : member] as const;
  });
  return Object.fromEntries(members.filter(([, values]) => Object.keys(values).length > 0));
}

/** Adds the values of a member by their paths, and returns how many it has. */
function collect(value: unknown, path: string, values: Map<string, unknown>): number {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).reduce((sum, [name, one]) => sum + collect(one, `${path}.${name}`, values), 0);
  values.set(path, value);
  return 1;
}

function plain(value: unknown): unknown {
  if (typeof value === 'string') return plainText(value);
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  return Array.isArray(value) ? value.map(plain) : plainObject(value);
}

function plainObject(value: object): object {
  const members = Object.entries(value).map(([name, member]) => [name, plain(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => member !== null && member !== ''));
}

const time = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/** Returns the meaning of a text: a dynamic column may hold JSON as text. */
function plainText(text: string): unknown {
  if (time.test(text)) {
    const at = new Date(text);
    return Number.isNaN(at.getTime()) ? text : at.toISOString();
  }
  if (!/^[[{]/.test(text)) return text;
  try {
    return plain(JSON.parse(text));
  } catch {
    return text;
  }
}
