import { ProblemError } from '../../api/problem.js';
import type { FormSchema } from '../../api/target-kinds.js';

/** Values while a person types them, by the paths of the fields. That of a choice is the name of the chosen member. */
export type Values = Readonly<Record<string, string>>;

/** A field of a form. */
export interface Field {
  /** Names of the members that lead to the value: `auth.creds.cloud_access_key_id`. */
  readonly path: string;
  readonly label: string;
  readonly schema: FormSchema;
  readonly isRequired: boolean;
  /** Whether a member of the object is chosen, whose fields follow. */
  readonly isChoice: boolean;
  /** Values to choose from, with their labels; empty for any text. */
  readonly options: readonly (readonly [value: string, label: string])[];
}

/** Returns the fields of an object, those of chosen members only. @param values null: the fields of all members */
export function fieldsOf(
  { properties = {}, required = [] }: FormSchema,
  values: Values | null,
  at = '',
): readonly Field[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const path = at === '' ? name : `${at}.${name}`;
    const isRequired = required.includes(name);
    const isChoice = schema.maxProperties === 1;
    const options = optionsOf(schema, isChoice, isRequired);
    const field = { path, label: schema.title ?? name, schema, isRequired, isChoice, options };
    if (schema.properties === undefined) return [field];
    if (!isChoice) return fieldsOf(schema, values, path);
    const chosen = values && valueOf(field, values);
    const members = Object.entries(schema.properties).filter(([member]) => chosen === null || member === chosen);
    return [field, ...fieldsOf({ ...schema, properties: Object.fromEntries(members) }, values, path)];
  });
}

function optionsOf(schema: FormSchema, isChoice: boolean, isRequired: boolean): Field['options'] {
  if (isChoice) return Object.entries(schema.properties ?? {}).map(([name, { title = name }]) => [name, title]);
  const given = schema.enum?.map((value) => [String(value), String(value)] as const) ?? [];
  const known =
    schema.type === 'boolean'
      ? ([
          ['true', 'Yes'],
          ['false', 'No'],
        ] as const)
      : given;
  const mayBeUnset = known.length > 0 && !isRequired && schema.default === undefined;
  return mayBeUnset ? [['', 'Not set'], ...known] : known;
}

/** Returns the value of a field, or what counts without one. */
export function valueOf({ path, schema, options }: Field, values: Values): string {
  return values[path] ?? String(schema.default ?? options[0]?.[0] ?? '');
}

/**
 * Returns what is wrong with a value; null for one that can be sent. The service checks more.
 * @param isStored whether the service has a value of this secret, which an empty one leaves as it is
 */
export function faultOf({ schema, isRequired, options }: Field, value: string, isStored = false): string | null {
  const { maxLength = Infinity, pattern, examples: [example] = [] } = schema;
  const text = value.trim();
  if (options.length > 0) return null;
  if (text === '') return isRequired && !isStored ? 'It is missing.' : null;
  if (text.length > maxLength)
    return `It has ${text.length.toLocaleString('en')} characters. At most ${maxLength.toLocaleString('en')} are stored.`;
  if (schema.type !== 'string' && !Number.isFinite(Number(text))) return 'It is not a number.';
  if (pattern === undefined || new RegExp(pattern, 'u').test(text)) return null;
  if (/\s/.test(text)) return 'It has a space or a line break in it.';
  return example === undefined
    ? 'It does not have the form of such a value.'
    : `It needs the form of this example: ${String(example)}`;
}

/** Returns what the service refused in the target of a request, by the paths of the fields. */
export function refusedValues(error: unknown, kind: string): Values {
  const start = `/target/${kind}/`;
  const errors = error instanceof ProblemError ? (error.problem.errors ?? []) : [];
  const refused = errors.filter(({ pointer }) => pointer.startsWith(start));
  return Object.fromEntries(
    refused.map(({ pointer, detail }) => [pointer.slice(start.length).replaceAll('/', '.'), `Refused: ${detail}.`]),
  );
}

/** Returns which fields are missing or not valid; `faultOf` says why. @param isStored as for `faultOf` */
export function faultsOf(
  fields: readonly Field[],
  values: Values,
  isStored = (_field: Field): boolean => false,
): readonly string[] {
  return fields.flatMap((field) => {
    const value = valueOf(field, values);
    if (faultOf(field, value, isStored(field)) === null) return [];
    return [`${field.label}: ${value.trim() === '' ? 'not filled in yet' : 'not valid'}`];
  });
}
