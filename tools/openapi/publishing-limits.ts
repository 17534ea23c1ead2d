import { publishingLimits } from '../../src/events/publishing/publishing-limits.js';
import { eventCatalogue } from '../../src/resources/event-types.js';

/** Makes the limits of published events for `@waybill/outbox`, which refuses other events when they are recorded. */
export function makePublishingLimits(): string {
  const limits = { ...publishingLimits, reservedEventTypeForm: eventCatalogue.reservedForm };
  return `// Generated from src/events/publishing/publishing-limits.ts of Waybill, which describes the members, by "npm run generate".

/**
 * What Waybill accepts as a published event. \`reservedEventTypeForm\` finds the event types that no resource type of an
 * account can have. The forms are regular expressions for JavaScript and Postgres.
 */
export const publishingLimits = ${inAscii(JSON.stringify(limits, null, 2))} as const;
`;
}

/** Returns JSON with escapes in place of characters that nobody sees. */
function inAscii(json: string): string {
  return json.replaceAll(/[^\n -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
