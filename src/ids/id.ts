import { typeid } from 'typeid-js';

/** What follows the prefix of an id and its underscore: 26 characters of a UUIDv7 in Crockford base 32. */
const ID_SUFFIX = '[0-7][0-9a-hjkmnp-tv-z]{25}';

/**
 * A TypeID: prefix, underscore, 26 characters of a UUIDv7 in Crockford base 32. Ids sort by creation time.
 * https://github.com/jetify-com/typeid/tree/main/spec
 */
export type Id<Prefix extends string = string> = `${Prefix}_${string}`;

/** Returns a new id. Ids of one process sort in order of creation, even within a millisecond. */
export function newId<Prefix extends string>(prefix: Prefix): Id<Prefix> {
  return `${prefix}_${typeid().getSuffix()}`;
}

const suffixPattern = new RegExp(`^${ID_SUFFIX}$`);

/** Returns the pattern of the ids with this prefix, for the OpenAPI document. */
export function idPattern(prefix: string): string {
  return `^${prefix}_${ID_SUFFIX}$`;
}

/** Whether `value` has the form of an id with this prefix. */
export function isId<Prefix extends string>(prefix: Prefix, value: unknown): value is Id<Prefix> {
  return (
    typeof value === 'string' && value.startsWith(`${prefix}_`) && suffixPattern.test(value.slice(prefix.length + 1))
  );
}
