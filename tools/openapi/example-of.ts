/** A JSON Schema as zod writes it. */
type Schema = Readonly<Record<string, unknown>>;

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Examples by member name, for members whose schema is only `string`. */
const textByName: Readonly<Record<string, string>> = {
  id: 'ipp_01kgxf4n8teq0v7m2b5rzd9h3s',
  event_id: 'evt_01kgxf4n8yf3aak1w9pc6tjv0e',
  account_id: 'acct_01kgxe0000e1tsd5s8qz3m7vbn',
  resource_id: 'ipp_01kgxf4n8teq0v7m2b5rzd9h3s',
  operation_id: 'op_01kgxf4n8re4rtyfv2hq9dk6xc',
  subject: 'deploy pipeline',
  ip: '203.0.113.7',
  user_agent: 'curl/8.5.0',
  uri: 'https://waybill.example.com/…',
  metadata: '{"team":"platform"}',
  description: 'made by the deploy pipeline',
};

/**
 * Returns a value that matches a schema: its own example, or one made from its parts. A union gives the example of the
 * first member that is not null. References are resolved in the `$defs` of the schema.
 */
export function exampleOf(schema: unknown, name = '', root: unknown = schema): unknown {
  if (!isSchema(schema)) return null;
  if (typeof schema.$ref === 'string') return exampleOf(resolve(root, schema.$ref), name, root);
  if (schema.example !== undefined) return schema.example;
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) {
    const choice: unknown = choices.find((one) => isSchema(one) && one.type !== 'null') ?? null;
    return exampleOf(choice, name, root);
  }
  return exampleOfType(schema, name, root);
}

function exampleOfType(schema: Schema, name: string, root: unknown): unknown {
  const type: unknown = Array.isArray(schema.type) ? schema.type.find((one) => one !== 'null') : schema.type;
  switch (type) {
    case 'object':
      return exampleOfObject(schema, root);
    case 'array':
      return [exampleOf(schema.items, name, root)];
    case 'integer':
    case 'number':
      return typeof schema.minimum === 'number' && schema.minimum > 0 ? schema.minimum : 0;
    case 'boolean':
      return true;
    case 'string':
      return schema.format === 'date-time' ? '2026-01-31T12:00:00.000Z' : (textByName[name] ?? '…');
    default:
      return null;
  }
}

function exampleOfObject({ properties, additionalProperties }: Schema, root: unknown): unknown {
  if (isSchema(properties)) {
    const members = Object.entries(properties).map(([name, member]) => [name, exampleOf(member, name, root)]);
    return Object.fromEntries(members);
  }
  return isSchema(additionalProperties) ? { name: exampleOf(additionalProperties, '', root) } : {};
}

function resolve(root: unknown, reference: string): unknown {
  let value = root;
  for (const part of reference.replace(/^#\/?/, '').split('/').filter(Boolean)) {
    value = isSchema(value) ? value[part] : undefined;
  }
  return value;
}
