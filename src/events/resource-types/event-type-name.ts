/** Highest version of a resource type. */
export const HIGHEST_VERSION = 999;
/** Longest name of a resource type, in characters, with its namespace. */
export const LONGEST_TYPE_NAME = 64;
/** Longest action of a resource type, in characters. */
export const LONGEST_ACTION = 40;
/** Longest event type, in characters: `<name>_<action>.v999`. */
export const LONGEST_EVENT_TYPE = LONGEST_TYPE_NAME + 1 + LONGEST_ACTION + `.v${HIGHEST_VERSION}`.length;

const WORDS = '[a-z][a-z0-9]*(_[a-z0-9]+)*';

// JavaScript, RE2, Python and Postgres read these regular expressions alike.
/** Form of the name of a resource type: `order`, or with a namespace `shop.order`. */
export const TYPE_NAME_FORM = `^(${WORDS}\\.)?${WORDS}$`;
/** Form of an action, such as `created`. */
export const ACTION_FORM = `^${WORDS}$`;
/** Form of an event type, such as `order_created.v0` or `shop.order_created.v0`. */
export const EVENT_TYPE_FORM = `^(${WORDS}\\.)?[a-z][a-z0-9]*(_[a-z0-9]+)+\\.v(0|[1-9][0-9]{0,2})$`;

/** Version and name of an event type: `order_created.v0` has the event name `order_created`. */
export interface EventTypeParts {
  readonly eventName: string;
  readonly version: number;
}

const form = new RegExp(EVENT_TYPE_FORM);

/** Returns the parts of an event type; null for any other text. */
export function partsOf(eventType: string): EventTypeParts | null {
  if (eventType.length > LONGEST_EVENT_TYPE || !form.test(eventType)) return null;
  const end = eventType.lastIndexOf('.v');
  return { eventName: eventType.slice(0, end), version: Number(eventType.slice(end + '.v'.length)) };
}

/** Returns the name of the events of an action of a resource type. */
export function eventNameOf(name: string, action: string): string {
  return `${name}_${action}`;
}
