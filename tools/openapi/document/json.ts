/** An object of an OpenAPI document. */
export type Json = Record<string, unknown>;

/** Whether a value is an object, and no list. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a copy of an object in which `map` made every object, in lists too. */
export function mapMembers(value: Json, map: (member: Json) => Json): Json {
  const copyOf = (member: unknown): unknown => {
    if (Array.isArray(member)) return member.map(copyOf);
    return isJson(member) ? map(member) : member;
  };
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copyOf(member)]));
}
