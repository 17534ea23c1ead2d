import fc from 'fast-check';

/** A JSON Schema of the OpenAPI document. */
export interface Schema {
  readonly $ref?: string;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly type?: string | readonly string[];
  readonly example?: unknown;
  readonly pattern?: string;
  readonly format?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly minProperties?: number;
  readonly maxProperties?: number;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: boolean;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** How values are generated. */
export interface ValueOptions {
  readonly schemas: Readonly<Record<string, unknown>>;
  /** Returns the values of a property that no keyword describes, such as the id of an existing resource. */
  readonly known?: (name: string) => fc.Arbitrary<unknown> | undefined;
  /**
   * Returns the values of a text, whatever its keywords allow. Lists and maps then ignore their limits, and the example
   * of a schema is one of its values.
   */
  readonly loose?: () => fc.Arbitrary<string>;
}

/** Most items of a generated list or map. */
const MOST = 3;

/** The pattern of text without another pattern: any text that can be stored. */
export const STORABLE = '^[^\\x00]*$';

/** Values that are valid by a schema, except for a few that the caller filters with a validator. */
export function valuesOf(schema: Schema, options: ValueOptions): fc.Arbitrary<unknown> {
  const values = generatedValues(schema, options);
  if (!options.loose || schema.example === undefined) return values;
  return fc.oneof(fc.constant(schema.example), { weight: 3, arbitrary: values });
}

function generatedValues(schema: Schema, options: ValueOptions): fc.Arbitrary<unknown> {
  if (schema.$ref !== undefined) return valuesOf(schemaAt(schema.$ref, options.schemas), options);
  const forms = schema.oneOf ?? schema.anyOf;
  if (forms && schema.properties) return fc.oneof(...forms.map((form) => formOf(schema, form, forms, options)));
  if (forms) return fc.oneof(...forms.map((form) => valuesOf(form, options)));
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type: string) => generatedValues({ ...schema, type }, options)));
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.const !== undefined) return fc.constant(schema.const);
  switch (schema.type) {
    case 'object':
      return objectsOf(schema, options);
    case 'array': {
      const items = valuesOf(schema.items ?? {}, options);
      if (options.loose) return fc.array(items, { maxLength: MOST });
      const limits = { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? MOST, MOST) };
      return schema.uniqueItems
        ? fc.uniqueArray(items, { ...limits, selector: JSON.stringify })
        : fc.array(items, limits);
    }
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'integer':
      return fc.integer({
        min: Math.max(schema.minimum ?? 0, -(2 ** 31)),
        max: Math.min(schema.maximum ?? 9, 2 ** 32),
      });
    case 'number':
      return fc.double({ min: schema.minimum ?? 0, max: schema.maximum ?? 1, noNaN: true });
    case 'string':
      return options.loose?.() ?? textsOf(schema);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

/** Returns the schema that a `$ref` names. */
export function schemaAt(reference: string, schemas: ValueOptions['schemas']): Schema {
  return schemas[reference.split('/').at(-1) ?? ''] as Schema;
}

/** Values of an object in one of its forms, without the members that other forms require. */
function formOf(whole: Schema, form: Schema, forms: readonly Schema[], options: ValueOptions): fc.Arbitrary<unknown> {
  const { oneOf: _oneOf, anyOf: _anyOf, ...base } = whole;
  const required = new Set([...(base.required ?? []), ...(form.required ?? [])]);
  const foreign = new Set(forms.flatMap((other) => other.required ?? []).filter((name) => !required.has(name)));
  const properties = Object.entries(base.properties ?? {})
    .filter(([name]) => !foreign.has(name))
    .map(([name, property]) => [name, narrowed(property, form.properties?.[name], options)] as const);
  return objectsOf({ ...base, required: [...required], properties: Object.fromEntries(properties) }, options);
}

/** A property with the further keywords that a form gives it. */
function narrowed(property: Schema, by: Schema | undefined, options: ValueOptions): Schema {
  if (by === undefined || Object.keys(by).length === 0) return property;
  const whole = property.$ref === undefined ? property : schemaAt(property.$ref, options.schemas);
  if (by.type === 'null' || by.const !== undefined || by.enum) return by;
  const fitting = whole.anyOf?.find(
    ({ type, $ref }) => type === by.type || ($ref !== undefined && by.type === 'object'),
  );
  return { ...(fitting ?? whole), ...(by.type === 'object' ? {} : by) };
}

function objectsOf(schema: Schema, options: ValueOptions): fc.Arbitrary<object> {
  const { properties = {}, required = [], additionalProperties, propertyNames, minProperties = 0 } = schema;
  const members = Object.entries(properties).map(
    ([name, property]) => [name, options.known?.(name) ?? valuesOf(property, options)] as const,
  );
  const known = fc.record(Object.fromEntries(members), { requiredKeys: required.filter((name) => name in properties) });
  if (typeof additionalProperties !== 'object') return known;
  const { loose } = options;
  const names = propertyNames && !loose ? textsOf({ ...propertyNames, type: 'string' }) : fc.string({ maxLength: 20 });
  const minKeys = loose ? 0 : minProperties;
  const limits = { minKeys, maxKeys: Math.max(minKeys, MOST) };
  // A body with this name is refused: its meaning differs between parsers.
  const map = fc.dictionary(
    names.filter((name) => name !== '__proto__'),
    valuesOf(additionalProperties, options),
    limits,
  );
  return fc.tuple(known, map).map(([one, other]) => ({ ...one, ...other }));
}

/** Texts of a schema. Limits are counted in bytes: JSON Schema cannot say whether Waybill means bytes. */
function textsOf({ pattern, format, minLength = 0, maxLength = 60 }: Schema): fc.Arbitrary<string> {
  const fits = (text: string) => text.length >= minLength && Buffer.byteLength(JSON.stringify(text)) <= maxLength + 2;
  if (format === 'date-time')
    return fc
      .date({ noInvalidDate: true, min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z') })
      .map((date) => date.toISOString());
  if (pattern !== undefined && pattern !== STORABLE)
    return fc.stringMatching(new RegExp(pattern, 'u'), { size: 'small' }).filter(fits);
  const most = Math.min(maxLength, 300);
  return fc
    .oneof(fc.string({ unit: 'binary', minLength, maxLength: most }), fc.string({ minLength, maxLength: most }))
    .map((text) => text.replaceAll('\0', '0'))
    .filter(fits);
}
