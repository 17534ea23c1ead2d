import { createHmac } from 'node:crypto';
import { canonicalJson } from '@waybill/verify';
import { derivedSalt } from '../../accounts/derived-salt.js';
import type { EventFields } from '../../database/tables.js';
import { isJsonObject, type JsonObject } from '../envelope/json-object.js';
import type { EventRule } from './event-rule.js';
import { Place } from './pointer-tree.js';

/** The members that every destination receives, as they are. */
export const fixedMembers: readonly string[] = [
  'event_id',
  'event_type',
  'event_timestamp',
  'account_id',
  'version',
  'epoch',
  'sequence',
];

/** The fields of a source of a subscription. */
export type FieldsRule = Pick<EventRule, 'subscriptionId' | 'fields'>;

/**
 * Makes payloads as destinations receive them: with the members of every `include`, without those of any `exclude`, and
 * with hashes in place of those of any `hash`. A pointer into `object` applies to its old and new values in `changes`
 * too. All pointers apply to the recorded event: the index of an item is its index there. A hash covers what `include`
 * and `exclude` leave of a value.
 *
 * Each payload is walked once. Hashes of equal values are computed once: keep a projector for one transaction at most.
 */
export class Projector {
  private readonly places = new Map<string, Place>();
  /** By subscription. */
  private readonly hashes = new Map<string, ValueHashes>();

  /** @param salt of the account */
  constructor(private readonly salt: Buffer) {}

  /**
   * Returns an event as a destination receives it.
   * @param rules with the fields of the sources that send the event to the destination
   */
  projected(event: JsonObject, rules: readonly FieldsRule[]): JsonObject {
    const place = this.placeOf(fieldsOf(rules));
    const hashes = this.hashesOf(hashingSubscription(rules));
    const entries = Object.entries(event).map(([name, value]) => {
      const isFixed = fixedMembers.includes(name);
      return [name, isFixed ? value : projectedAt(value, place.below(name), hashes)] as const;
    });
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }

  private hashesOf(subscriptionId: string | null): ValueHashes | null {
    if (subscriptionId === null) return null;
    let hashes = this.hashes.get(subscriptionId);
    if (!hashes) {
      hashes = new ValueHashes(derivedSalt(this.salt, subscriptionId));
      this.hashes.set(subscriptionId, hashes);
    }
    return hashes;
  }

  private placeOf(fields: readonly EventFields[]): Place {
    const key = JSON.stringify(fields);
    let place = this.places.get(key);
    if (!place) {
      place = Place.ofPayload(fields);
      this.places.set(key, place);
    }
    return place;
  }
}

/** Returns the fields of rules, equal ones once. */
function fieldsOf(rules: readonly FieldsRule[]): readonly EventFields[] {
  return [...new Map(rules.flatMap(({ fields }) => (fields ? [[JSON.stringify(fields), fields]] : []))).values()];
}

/**
 * Returns the subscription whose salt the hashes in an event have: the oldest one that sends the event to the
 * destination, and hashes. Null: none does.
 */
export function hashingSubscription(rules: readonly FieldsRule[]): string | null {
  const ids = rules.filter(({ fields }) => fields?.hash).map(({ subscriptionId }) => subscriptionId);
  return ids.toSorted()[0] ?? null;
}

/** The hashes of values: HMAC-SHA-256 of their canonical JSON with a salt, in hexadecimal. Null stays null. */
class ValueHashes {
  private readonly known = new Map<string, string>();

  constructor(private readonly salt: Buffer) {}

  of(value: unknown): string | null {
    if (value === null) return null;
    const text = canonicalJson(value);
    let hash = this.known.get(text);
    if (hash === undefined) {
      hash = `hmac-sha256:${createHmac('sha256', this.salt).update(text).digest('hex')}`;
      this.known.set(text, hash);
    }
    return hash;
  }
}

/**
 * Returns what is sent of a value; undefined when nothing is.
 * @param hashes null within a value whose hash is sent
 */
function projectedAt(value: unknown, place: Place, hashes: ValueHashes | null): unknown {
  if (place.isAbsent) return undefined;
  if (place.isUntouched) return value;
  if (place.isHashed && hashes) {
    const rest = projectedAt(value, place, null);
    return rest === undefined ? undefined : hashes.of(rest);
  }
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return items
      .map((item, index) => projectedAt(item, place.below(String(index)), hashes))
      .filter((item) => item !== undefined);
  }
  if (isJsonObject(value)) {
    const entries = Object.entries(value).map(
      ([name, inner]) => [name, projectedAt(inner, place.below(name), hashes)] as const,
    );
    return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined));
  }
  return place.isWhole ? value : undefined;
}
