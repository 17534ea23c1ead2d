import { isJson, mapMembers, type Json } from './json.js';

/**
 * Returns a copy of the schema of a request in which the descriptions say the defaults. Some generators of clients take
 * a member with the keyword for one that is always there, so that every call would have to give it.
 */
export function withDefaultsInWords(schema: Json): Json {
  const copy = mapMembers(schema, withDefaultsInWords);
  if (!isJson(copy.properties)) return copy;
  const properties = Object.entries(copy.properties).map(([name, member]) => [name, inWords(member)]);
  return { ...copy, properties: Object.fromEntries(properties) };
}

function inWords(member: unknown): unknown {
  if (!isJson(member) || !('default' in member)) return member;
  const { default: value, ...rest } = member;
  // A member without a value is null in the response.
  if (value === null) return rest;
  const { description } = rest;
  const text = `Default: \`${JSON.stringify(value)}\`.`;
  return { ...rest, description: typeof description === 'string' ? `${description} ${text}` : text };
}
