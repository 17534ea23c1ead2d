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
 * Most pointers of the forms that a projector keeps, and of all forms of one event type. A pointer into `object` is
 * three paths of a tree: some hundred bytes.
 */
export const MOST_FORM_POINTERS = 20_000;

/**
 * Makes payloads as destinations receive them: with the members of every `include`, without those of any `exclude`, and
 * with hashes in place of those of any `hash`. A pointer into `object` applies to its old and new values in `changes`
 * too. All pointers apply to the recorded event: the index of an item is its index there. A hash covers what `include`
 * and `exclude` leave of a value. A value that cannot have what a pointer of `exclude` or `hash` leads to, such as a
 * text, is hidden as a whole.
 *
 * Each payload is walked once. Keep a projector for one transaction at most, and call it for events of a type one after
 * the other: it keeps the forms of a few types.
 */
export class Projector {
  /** By rule. Equal fields of several subscriptions have one number. */
  private readonly numbers = new Map<FieldsRule, number>();
  private readonly numbersOfFields = new Map<string, number>();
  /** By the key of the rules. */
  private readonly forms = new Map<string, Place>();
  /** Pointers of `forms`. */
  private pointers = 0;

  /** @param salt of the account */
  constructor(private readonly salt: Buffer) {}

  /**
   * Returns an event as a destination receives it.
   * @param rules with the fields of the sources that send the event to the destination
   */
  projected(event: JsonObject, rules: readonly FieldsRule[]): JsonObject {
    const place = this.formOf(rules);
    const hashedBy = hashingSubscription(rules);
    const hashes = hashedBy === null ? null : new ValueHashes(derivedSalt(this.salt, hashedBy));
    const entries = Object.entries(event).map(([name, value]) => {
      const isFixed = fixedMembers.includes(name);
      return [name, isFixed ? value : projectedAt(value, place.below(name), hashes)] as const;
    });
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }

  /** Returns a key that is the same for rules of which destinations receive the same payloads. */
  keyOf(rules: readonly FieldsRule[]): string {
    return `${hashingSubscription(rules)} ${this.fieldsKeyOf(rules)}`;
  }

  private fieldsKeyOf(rules: readonly FieldsRule[]): string {
    const numbers = new Set(rules.filter(({ fields }) => fields !== null).map((rule) => this.numberOf(rule)));
    return [...numbers].toSorted((a, b) => a - b).join(' ');
  }

  private numberOf(rule: FieldsRule): number {
    let number = this.numbers.get(rule);
    if (number === undefined) {
      const text = JSON.stringify(rule.fields);
      number = this.numbersOfFields.get(text) ?? this.numbersOfFields.size;
      this.numbersOfFields.set(text, number);
      this.numbers.set(rule, number);
    }
    return number;
  }

  private formOf(rules: readonly FieldsRule[]): Place {
    const key = this.fieldsKeyOf(rules);
    let place = this.forms.get(key);
    if (!place) {
      const fields = this.fieldsOf(rules);
      const pointers = fields.reduce(
        (sum, { include, exclude, hash }) => sum + [include, exclude, hash].flat().length,
        0,
      );
      if (this.pointers + pointers > MOST_FORM_POINTERS) {
        this.forms.clear();
        this.pointers = 0;
      }
      this.pointers += pointers;
      place = Place.ofPayload(fields);
      this.forms.set(key, place);
    }
    return place;
  }

  /** Returns the fields of rules, equal ones once. */
  private fieldsOf(rules: readonly FieldsRule[]): readonly EventFields[] {
    const byNumber = new Map(rules.flatMap((rule) => (rule.fields ? [[this.numberOf(rule), rule.fields]] : [])));
    return [...byNumber.values()];
  }
}

/**
 * Returns the subscription whose salt the hashes in an event have: the oldest one that sends the event to the
 * destination, and hashes. Null: none does.
 */
export function hashingSubscription(rules: readonly FieldsRule[]): string | null {
  let oldest: string | null = null;
  for (const { fields, subscriptionId: id } of rules) if (fields?.hash && (oldest === null || id < oldest)) oldest = id;
  return oldest;
}

/** The hashes of the values of one payload: HMAC-SHA-256 of their canonical JSON with a salt. Null stays null. */
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
  if (place.isAbsent || place.excludesBelow(value)) return undefined;
  if (place.isUntouched) return value;
  if (hashes && (place.isHashed || place.hashesBelow(value))) {
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
