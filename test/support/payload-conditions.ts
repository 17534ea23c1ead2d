/** Longest text that a condition compares. */
const LONGEST_TEXT = 200;

/** A name that needs no brackets in a filter. */
const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Returns filters that an event matches: one for each value, at any depth. */
export function conditionsOf(payload: object): readonly string[] {
  return Object.entries(payload).flatMap(([name, value]) => conditions(name, value));
}

function conditions(path: string, value: unknown): readonly string[] {
  if (Array.isArray(value)) {
    const items: readonly unknown[] = value;
    return [
      `size(${path}) == ${items.length}`,
      ...items.flatMap((item, index) => conditions(`${path}[${index}]`, item)),
    ];
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) =>
      PLAIN_NAME.test(name)
        ? [...conditions(`${path}.${name}`, inner), ...(path.includes('[') ? [] : [`has(${path}.${name})`])]
        : conditions(`${path}[${JSON.stringify(name)}]`, inner),
    );
  }
  if (typeof value === 'string' && value.length > LONGEST_TEXT) return [`${path}.size() > ${LONGEST_TEXT}`];
  return [`${path} == ${JSON.stringify(value)}`];
}

/** Returns the JSON pointers to the values of an event, at any depth. */
export function pointersOf(value: unknown, pointer = ''): readonly string[] {
  if (typeof value !== 'object' || value === null) return pointer === '' ? [] : [pointer];
  const below = Object.entries(value).flatMap(([name, inner]) =>
    pointersOf(inner, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`),
  );
  return pointer === '' ? below : [pointer, ...below];
}
