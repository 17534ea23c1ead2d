/** Where a keyword of JSON Schema has its subschemas. */
export interface Applicator {
  /** The form of its value. */
  readonly form: 'schema' | 'list' | 'map';
  /** Whether the subschemas apply to the value itself, to its members and items, or to nothing until referenced. */
  readonly to: 'value' | 'children' | 'nothing';
}

/** The keywords with subschemas that a schema may have. */
export const applicators: ReadonlyMap<string, Applicator> = new Map([
  ['$defs', { form: 'map', to: 'nothing' }],
  ['allOf', { form: 'list', to: 'value' }],
  ['anyOf', { form: 'list', to: 'value' }],
  ['oneOf', { form: 'list', to: 'value' }],
  ['not', { form: 'schema', to: 'value' }],
  ['if', { form: 'schema', to: 'value' }],
  ['then', { form: 'schema', to: 'value' }],
  ['else', { form: 'schema', to: 'value' }],
  ['dependentSchemas', { form: 'map', to: 'value' }],
  ['properties', { form: 'map', to: 'children' }],
  ['patternProperties', { form: 'map', to: 'children' }],
  ['additionalProperties', { form: 'schema', to: 'children' }],
  ['unevaluatedProperties', { form: 'schema', to: 'children' }],
  ['propertyNames', { form: 'schema', to: 'children' }],
  ['prefixItems', { form: 'list', to: 'children' }],
  ['items', { form: 'schema', to: 'children' }],
  ['unevaluatedItems', { form: 'schema', to: 'children' }],
  ['contains', { form: 'schema', to: 'children' }],
]);

/** Keywords that accept no value and refuse none. */
export const annotations: ReadonlySet<string> = new Set([
  '$schema',
  '$comment',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'contentEncoding',
  'contentMediaType',
]);

/** The other keywords that a schema may have. */
export const assertions: ReadonlySet<string> = new Set([
  '$ref',
  'type',
  'enum',
  'const',
  'multipleOf',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minItems',
  'maxItems',
  'uniqueItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
  'required',
  'dependentRequired',
]);
