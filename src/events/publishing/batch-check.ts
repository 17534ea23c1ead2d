import { hash } from 'node:crypto';
import { canonicalJson } from '@waybill/verify';
import { MAX_ERRORS } from '../../http/problems/input-errors.js';
import type { RequestContext } from '../../http/request/request-context.js';
import type { InputError } from '../../problems/problem.js';
import { Stretch } from '../../timing/stretch.js';
import type { JsonObject } from '../envelope/json-object.js';
import { reservedPrincipalErrors } from '../envelope/system-context.js';
import type { RegisteredEventType, ResourceTypeVersion } from '../resource-types/resource-type-store.js';
import type { ObjectChanges } from './object-changes.js';
import type { PublishedEvent } from './published-event.js';
import { publishingLimits } from './publishing-limits.js';
import { redacted } from './redaction.js';

/** An event that may be stored: its object is valid, and nothing that the type redacts is in it. */
export interface CheckedEvent {
  readonly publisherId: string | null;
  /** SHA-256 of the content, after redaction: a hash of a short secret would give it away. */
  readonly hash: Buffer;
  readonly eventType: string;
  readonly type: ResourceTypeVersion;
  readonly action: string;
  readonly resourceId: string;
  readonly object: JsonObject;
  /** As the publisher gave them; null for none. */
  readonly changes: ObjectChanges | null;
  readonly principal: PublishedEvent['principal'];
  readonly request: PublishedEvent['request'];
  readonly occurredAt: string | null;
  readonly repaired: NonNullable<PublishedEvent['repaired']> | null;
  /** Characters of its JSON, about. */
  readonly characters: number;
}

/** A request whose events may be stored. */
export interface CheckedRequest {
  readonly context: RequestContext;
  /** In order: all are stored, or none. */
  readonly events: readonly CheckedEvent[];
  /** Of the span of the request; null when tracing is off. */
  readonly traceParent: string | null;
}

/** Furthest that the clock of a publisher may be ahead, in milliseconds. */
const MOST_AHEAD_MS = publishingLimits.mostMinutesAhead * 60_000;
/** Oldest change that may be published, in milliseconds. */
const OLDEST_MS = publishingLimits.mostDaysOld * 86_400_000;

/** The events of a batch that may be stored, or the reasons why some may not. */
export type CheckedBatch =
  | { readonly events: readonly CheckedEvent[] }
  | { readonly errors: readonly [InputError, ...InputError[]] };

/**
 * Checks every event of a batch, and lets other requests continue between them.
 * @param types the registered event types of the account, by event type
 * @param invalid by index, what is wrong with objects by their schemas
 * @returns the first errors, at most MAX_ERRORS, if there are any
 */
export async function checkBatch(
  batch: readonly PublishedEvent[],
  types: ReadonlyMap<string, RegisteredEventType>,
  invalid: ReadonlyMap<number, InputError>,
  now: Date,
): Promise<CheckedBatch> {
  const errors: InputError[] = [];
  const events: CheckedEvent[] = [];
  const stretch = new Stretch();
  for (const [index, event] of batch.entries()) {
    await stretch.pause();
    const registered = types.get(event.type);
    const found = registered
      ? errorsOf(event, invalid.get(index), now)
      : [
          {
            pointer: '/type',
            detail:
              'is not an event type of a resource type of the account; see /event_types, and POST /resource_types to register one',
          },
        ];
    errors.push(...found.map(({ pointer, detail }) => ({ pointer: `/events/${index}${pointer}`, detail })));
    if (errors.length >= MAX_ERRORS) break;
    if (registered && found.length === 0) events.push(checked(event, registered));
  }
  const [first, ...others] = errors.slice(0, MAX_ERRORS);
  return first ? { errors: [first, ...others] } : { events };
}

function errorsOf(event: PublishedEvent, invalid: InputError | undefined, now: Date): readonly InputError[] {
  const errors: InputError[] = [];
  const inexact = inexactNumber(event.object, '/object') ?? inexactNumber(event.changes ?? {}, '/changes');
  if (inexact !== null)
    errors.push({ pointer: inexact, detail: 'is a whole number that JSON parsers round; send it as text' });
  if (invalid) errors.push({ pointer: `/object${invalid.pointer}`, detail: invalid.detail });
  for (const { pointer, detail } of event.principal ? reservedPrincipalErrors(event.principal) : [])
    errors.push({ pointer: `/principal${pointer}`, detail });
  for (const [pointer, time] of [
    ['/occurred_at', event.occurred_at],
    ['/repaired/at', event.repaired?.at],
  ] as const) {
    const detail = timeError(time, now);
    if (detail !== null) errors.push({ pointer, detail });
  }
  return errors;
}

function timeError(time: string | null | undefined, now: Date): string | null {
  if (time == null) return null;
  const at = Date.parse(time);
  const clock = `the clock of Waybill, which shows ${now.toISOString()}`;
  if (Number.isNaN(at)) return 'must be an RFC 3339 time such as 2026-01-31T12:00:00Z';
  if (at > now.getTime() + MOST_AHEAD_MS)
    return `must not be more than ${publishingLimits.mostMinutesAhead} minutes ahead of ${clock}`;
  if (at < now.getTime() - OLDEST_MS)
    return `must not be more than ${publishingLimits.mostDaysOld} days behind ${clock}`;
  return null;
}

/**
 * Returns the pointer to a whole number that a parser may have rounded, such as a 64-bit id; null if there is none. The
 * event would show another number than the publisher sent.
 */
function inexactNumber(value: unknown, pointer: string): string | null {
  if (!hasInexactNumber(value)) return null;
  if (typeof value !== 'object' || value === null) return pointer;
  for (const [name, member] of Object.entries(value)) {
    const found = inexactNumber(member, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
    if (found !== null) return found;
  }
  return null;
}

function hasInexactNumber(value: unknown): boolean {
  if (typeof value === 'number') return Number.isInteger(value) && !Number.isSafeInteger(value);
  return typeof value === 'object' && value !== null && Object.values(value).some(hasInexactNumber);
}

function checked(event: PublishedEvent, { type, action }: RegisteredEventType): CheckedEvent {
  const object = redacted(event.object, type.redact);
  const changes = event.changes && {
    before: redacted(event.changes.before, type.redact),
    after: redacted(event.changes.after, type.redact),
  };
  const publisherId = event.id ?? null;
  const { principal = null, request = null, occurred_at: occurredAt = null, repaired = null } = event;
  const content = { ...event, object, changes: changes ?? null, principal, request, occurred_at: occurredAt, repaired };
  const text = publisherId === null ? JSON.stringify(content) : canonicalJson(content);
  return {
    publisherId,
    hash: publisherId === null ? Buffer.alloc(0) : hash('sha256', text, 'buffer'),
    eventType: event.type,
    type,
    action,
    resourceId: event.resource_id,
    object,
    changes: changes ?? null,
    principal,
    request,
    occurredAt,
    repaired,
    characters: text.length,
  };
}
