/** Highest version of a resource type. */
export const HIGHEST_VERSION = 999;

/** Version and name of an event type: `order_created.v0` has the event name `order_created`. */
export interface EventTypeParts {
  readonly eventName: string;
  readonly version: number;
}

const form = /^([a-z][a-z0-9_]*)\.v(0|[1-9][0-9]{0,2})$/;

/** Returns the parts of an event type; null for any other text. */
export function partsOf(eventType: string): EventTypeParts | null {
  const [, eventName, version] = form.exec(eventType) ?? [];
  return eventName === undefined ? null : { eventName, version: Number(version) };
}

/** Returns the name of the events of an action of a resource type. */
export function eventNameOf(name: string, action: string): string {
  return `${name}_${action}`;
}
