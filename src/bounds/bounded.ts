import { z } from 'zod';

/** The checks that bound a string. The clones of a schema share them. */
const bounds = new WeakSet<object>();

function registered<Bound extends object>(bound: Bound): Bound {
  bounds.add(bound);
  return bound;
}

/** Whether `boundedString` or `boundedBytes` made this check. */
export function isBound(value: object | undefined): boolean {
  return value !== undefined && bounds.has(value);
}

/**
 * Returns the schema of a string of at most `most` Unicode code points. A longer string fails at once: no later check
 * of the field runs. After a failed `max`, zod runs refinements: a body full of one field would cost seconds.
 * @param error the detail for another type; default: "must be text"
 */
export function boundedString(most: number, error?: string): z.ZodString {
  const fits = z.maxLength(most, { abort: true, error: `must not be longer than ${most} characters` });
  return z.string(error).check(registered(fits));
}

/** The schema of a time of RFC 3339 with its offset, in a year of UTC that RFC 3339 and Postgres can write. */
export const boundedTime = boundedString(64).check(
  z.iso.datetime({ offset: true, abort: true }),
  z.refine((text: string) => {
    const year = new Date(text).getUTCFullYear();
    return year >= 1 && year <= 9_999;
  }, 'must be in the years 0001 to 9999 of UTC'),
);

/** As `boundedString`, with the limit in bytes of UTF-8. */
export function boundedBytes(most: number): z.ZodString {
  const fits = z.refine<string>((text) => Buffer.byteLength(text) <= most, {
    abort: true,
    error: `must not be longer than ${most} bytes of UTF-8`,
  });
  return z
    .string()
    .check(registered(fits))
    .meta({ maxLength: most, description: `At most ${most} bytes of UTF-8.` });
}

/** Most characters of a name in a map. A family may allow fewer. */
const LONGEST_NAME = 1_024;

interface BoundedMapDef extends z.core.$ZodRecordDef<z.ZodString, z.ZodType> {
  readonly most: number;
  readonly entries: string;
}

/** A map that counts its entries before it reads them. A type of zod, so that clones with more checks count too. */
const BoundedMap = z.core.$constructor<z.ZodRecord<z.ZodString, z.ZodType>, BoundedMapDef>('BoundedMap', (map, def) => {
  z.ZodRecord.init(map, def);
  const parse = map._zod.parse.bind(map._zod);
  map._zod.parse = (payload, context) => {
    const { value } = payload;
    if (typeof value !== 'object' || value === null || Object.keys(value).length <= def.most) {
      return parse(payload, context);
    }
    const message = `must not have more than ${def.most} ${def.entries}`;
    payload.issues.push({ code: 'custom', input: value, inst: map, message, continue: false });
    return payload;
  };
});

/**
 * Returns the schema of a map of at most `most` entries. A larger map fails before any entry is read. (A list needs no
 * helper: zod checks a leading `max` before it reads the items.)
 * @param entries the entries in error details, such as `headers`
 */
export function boundedMap<Value extends z.ZodType>(value: Value, most: number, entries: string) {
  const keyType = boundedString(LONGEST_NAME);
  const map = new BoundedMap({ type: 'record', keyType, valueType: value, most, entries });
  // `$constructor` knows no type parameters.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return map as z.ZodRecord<z.ZodString, Value>;
}

/** Whether `boundedMap` made the schema. */
export function isBoundedMap(schema: z.core.$ZodType): boolean {
  return schema instanceof BoundedMap;
}

interface BoundedJsonDef extends z.core.$ZodRecordDef<z.ZodString, z.ZodUnknown> {
  readonly mostBytes: number;
  readonly deepest: number;
}

/** A JSON object that is measured before any check reads it. */
const BoundedJson = z.core.$constructor<z.ZodRecord<z.ZodString, z.ZodUnknown>, BoundedJsonDef>(
  'BoundedJson',
  (json, def) => {
    z.ZodRecord.init(json, def);
    const parse = json._zod.parse.bind(json._zod);
    json._zod.parse = (payload, context) => {
      const { value } = payload;
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return parse(payload, context);
      const message = jsonError(value, def);
      if (message !== null) payload.issues.push({ code: 'custom', input: value, inst: json, message, continue: false });
      return payload;
    };
  },
);

function jsonError(value: object, { mostBytes, deepest }: BoundedJsonDef): string | null {
  const error = memberError(value, deepest);
  if (error === 'deep') return `must not have more than ${deepest} levels`;
  if (error === 'infinite') return 'has a number that is too large';
  return Buffer.byteLength(JSON.stringify(value)) > mostBytes
    ? `must not be longer than ${mostBytes} bytes of JSON`
    : null;
}

/** @param levels that the value and its members may have; it bounds the recursion */
function memberError(value: object, levels: number): 'deep' | 'infinite' | null {
  if (levels === 0) return 'deep';
  for (const member of Object.values(value)) {
    if (member === Infinity || member === -Infinity) return 'infinite';
    const error = typeof member === 'object' && member !== null ? memberError(member, levels - 1) : null;
    if (error !== null) return error;
  }
  return null;
}

/**
 * Returns the schema of a JSON object with any members, of at most `mostBytes` bytes of compact JSON in UTF-8 and at
 * most `deepest` nested objects and lists. A larger one fails before any later check. Its members are not copied.
 */
export function boundedJson(mostBytes: number, deepest: number): z.ZodRecord<z.ZodString, z.ZodUnknown> {
  return new BoundedJson({ type: 'record', keyType: z.string(), valueType: z.unknown(), mostBytes, deepest });
}

/** Whether `boundedJson` made the schema. */
export function isBoundedJson(schema: z.core.$ZodType): boolean {
  return schema instanceof BoundedJson;
}
