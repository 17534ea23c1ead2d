import {
  MAX_EVENT_BYTES,
  MOST_PUBLISHED_DELETION_BYTES,
  MOST_PUBLISHED_EVENT_BYTES,
} from '../envelope/event-envelope.js';
import { RESERVED_PRINCIPAL_IDS, SYSTEM_SUBJECT, UNSEEN_CHARACTERS } from '../envelope/system-context.js';
import {
  ACTION_FORM,
  EVENT_TYPE_FORM,
  HIGHEST_VERSION,
  LONGEST_ACTION,
  LONGEST_EVENT_TYPE,
  LONGEST_TYPE_NAME,
  TYPE_NAME_FORM,
} from '../resource-types/event-type-name.js';

/**
 * What `POST /events` accepts. Lengths are in characters (Unicode code points), sizes in bytes of compact JSON in
 * UTF-8. `npm run generate` writes it into `packages/outbox`, whose SQL refuses other events when they are recorded.
 */
export const publishingLimits = {
  typeNameForm: TYPE_NAME_FORM,
  longestTypeName: LONGEST_TYPE_NAME,
  actionForm: ACTION_FORM,
  longestAction: LONGEST_ACTION,
  eventTypeForm: EVENT_TYPE_FORM,
  longestEventType: LONGEST_EVENT_TYPE,
  highestVersion: HIGHEST_VERSION,
  /** Of an event, a resource, a principal and a request, and subjects. All but that of a request have a character. */
  longestId: 255,
  /** A principal may not have one of these ids. */
  reservedPrincipalIds: RESERVED_PRINCIPAL_IDS,
  /** The subject of a principal, or else its id, may not begin with this. */
  reservedSubjectPrefix: SYSTEM_SUBJECT,
  /**
   * What does not count in these comparisons: the members of a class of a regular expression. Letter case and
   * compatibility forms (NFKC) do not count either.
   */
  unseenCharacters: UNSEEN_CHARACTERS,
  /** An IP address with a zone, or a list of a few. */
  longestAddress: 100,
  longestUserAgent: 512,
  /** Of a repaired event: who repaired it. */
  longestRepairer: 255,
  /** Of a repaired event: why it was repaired. */
  longestReason: 1_000,
  /** Nested objects and lists of an object. A body has 32 levels, and three of them are around the object. */
  deepestObject: 24,
  /** Of the object, and of each side of the changes. */
  mostObjectBytes: MAX_EVENT_BYTES,
  /** Of an event without the values of its changes: Waybill names the members whose values do not fit. */
  mostEventBytes: MOST_PUBLISHED_EVENT_BYTES,
  /** As above, of an event with the action `deleted`. */
  mostDeletionBytes: MOST_PUBLISHED_DELETION_BYTES,
  /** `occurred_at` against the clock of Waybill. */
  mostMinutesAhead: 5,
  mostDaysOld: 366,
  /** Events of a request. */
  mostEvents: 500,
  /** The body of a request. */
  mostBatchBytes: 2_097_152,
} as const;
