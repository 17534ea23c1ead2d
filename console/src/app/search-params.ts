/** Parameters of an address: a text, or a list where the name is repeated, as in the API. */
export type SearchParams = Readonly<Record<string, unknown>>;

/** Reads the parameters of an address: every value is a text. */
export function parseSearch(search: string): Record<string, string | string[]> {
  const params = new URLSearchParams(search);
  return Object.fromEntries(
    [...new Set(params.keys())].map((name) => {
      const values = params.getAll(name);
      return [name, values.length === 1 ? (values[0] ?? '') : values];
    }),
  );
}

/** Writes the texts of parameters. Undefined and empty ones are left out. */
export function stringifySearch(search: SearchParams): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) {
    for (const one of [value].flat()) if (typeof one === 'string' && one !== '') params.append(name, one);
  }
  return params.size === 0 ? '' : `?${params.toString()}`;
}

/** Returns a parameter that is a text; undefined where it is missing or empty. */
export function textParam(value: unknown): string | undefined {
  const [first]: unknown[] = [value].flat();
  return typeof first === 'string' && first !== '' ? first : undefined;
}

/** Returns the reader of parameters that are texts. What is not one of them is ignored. */
export function textParams<Name extends string>(...names: readonly Name[]) {
  return (search: SearchParams): { readonly [One in Name]?: string | undefined } =>
    // Each member of the object has one of the names.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    Object.fromEntries(names.map((name) => [name, textParam(search[name])])) as Record<Name, string | undefined>;
}

/** Returns the values of a parameter that are allowed; undefined where there are none. */
export function listParam<Value extends string>(value: unknown, allowed: readonly Value[]): Value[] | undefined {
  const given = [value].flat();
  const found = allowed.filter((one) => given.includes(one));
  return found.length === 0 ? undefined : found;
}
