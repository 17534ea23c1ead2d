import type { CommittedChange } from './audit.js';

/** A delivered event, as far as the count needs it. */
export interface ArrivedEvent {
  readonly eventId: string;
  readonly sequence: number;
  /** The resource that the event is about. */
  readonly resource: string;
  /** The change that the event reports, in the form of `changeOf`. */
  readonly change: string;
}

const typeNames = { customers: 'customer', orders: 'order', payments: 'payment' } as const;

/** Members whose text differs between a row and an event (times), or that no event has. */
const notCompared = ['created_at', 'email', 'provider_token'];

/** Returns a text that is the same for a committed change and its event, and for no other change. */
export function changeOf({ table, operation, row }: CommittedChange): string {
  return `${typeNames[table]}_${actionOf(operation, row.status)}.v0 ${content(row)}`;
}

/** Reads a delivered event. */
export function eventOf(body: string): ArrivedEvent {
  const event = JSON.parse(body) as {
    readonly event_id: string;
    readonly event_type: string;
    readonly resource_id: string;
    readonly sequence: number;
    readonly object: Readonly<Record<string, unknown>>;
  };
  return {
    eventId: event.event_id,
    sequence: event.sequence,
    resource: `${event.event_type.split('_')[0]} ${event.resource_id}`,
    change: `${event.event_type} ${content(event.object)}`,
  };
}

function actionOf(operation: CommittedChange['operation'], status: unknown): string {
  switch (operation) {
    case 'INSERT':
      return 'created';
    case 'DELETE':
      return 'deleted';
    case 'UPDATE':
      return status === 'cancelled' ? 'cancelled' : 'updated';
  }
}

/** Returns the members in one order, whatever their order in the row or the event. */
function content(object: Readonly<Record<string, unknown>>): string {
  const members = Object.entries(object).filter(([name]) => !notCompared.includes(name));
  return JSON.stringify(sorted(Object.fromEntries(members)));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}
