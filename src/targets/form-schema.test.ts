import { describe, expect, it } from 'vitest';
import { formSchemaOf, type FormSchema } from './form-schema.js';
import { allTargets, targetOf } from './registry.js';

/** A schema as the test reads it. */
interface Shown {
  readonly type: string;
  readonly title?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Shown>>;
  readonly required?: readonly string[];
  readonly maxProperties?: number;
  readonly enum?: readonly string[];
  readonly examples?: readonly string[];
  readonly default?: string;
  readonly pattern?: string;
  readonly writeOnly?: boolean;
}

function shown(schema: FormSchema): Shown {
  return JSON.parse(JSON.stringify(schema)) as Shown;
}

/** The fields of an object and of the objects in it, with their paths and whether they are required. */
function fieldsOf(schema: Shown, at = ''): readonly (readonly [path: string, field: Shown, isRequired: boolean])[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = at === '' ? name : `${at}.${name}`;
    return [[path, field, schema.required?.includes(name) ?? false] as const, ...fieldsOf(field, path)];
  });
}

/** Returns a new configuration as a form makes it: examples, and the chosen member of each choice. */
function filledIn(schema: Shown, choose: number): unknown {
  if (schema.properties === undefined) {
    const pattern = schema.pattern ?? '';
    const value = schema.examples?.[0] ?? schema.default ?? schema.enum?.[0];
    return value ?? (pattern.includes('{8}-') ? '01234567-89ab-cdef-0123-456789abcdef' : 'x'.repeat(40));
  }
  const members = Object.entries(schema.properties);
  const given = schema.maxProperties === 1 ? members.slice(choose, choose + 1) : members;
  return Object.fromEntries(given.map(([name, member]) => [name, filledIn(member, choose)]));
}

describe.each(allTargets.map((target) => [target.kind, target] as const))('the form of %s', (_kind, target) => {
  const schema = shown(formSchemaOf(target.config, target.secretFields));
  const fields = fieldsOf(schema);

  it('has a label for every field, and help for every text', () => {
    expect(fields.length).toBeGreaterThan(2);
    expect(fields.filter(([, { title = '' }]) => title === '')).toEqual([]);
    expect(fields.filter(([, { type, description = '' }]) => type !== 'object' && description === '')).toEqual([]);
  });

  it('has the types that a form can show, no null, and no field that is read-only', () => {
    const types = new Set(fields.map(([, { type }]) => type));
    expect(['string', 'number', 'integer', 'boolean', 'object']).toEqual(expect.arrayContaining([...types]));
    expect(JSON.stringify(schema)).not.toContain('"null"');
    expect(JSON.stringify(schema)).not.toContain('readOnly');
  });

  it('marks the secrets, which a new configuration must have', () => {
    const secrets = fields.filter(([, { writeOnly }]) => writeOnly);
    expect(secrets.map(([path]) => path)).toEqual(target.secretFields);
    expect(secrets.filter(([, , isRequired]) => !isRequired)).toEqual([]);
  });

  it('names the members that are credentials', () => {
    const names = Object.keys(schema.properties ?? {});
    expect(names).toEqual(expect.arrayContaining([...target.credentials]));
    for (const path of target.secretFields) expect(target.credentials).toContain(path.split('.')[0]);
  });

  it('has examples that its patterns match', () => {
    for (const [path, { examples = [], pattern = '' }] of fields)
      for (const example of examples) expect(example, path).toMatch(new RegExp(pattern, 'u'));
  });

  it.each([0, 1])('describes a configuration that is accepted, with member %i of each choice', (choose) => {
    const filled = filledIn(schema, choose);
    expect(target.config.safeParse(filled).error).toBeUndefined();
    const optional = fields.filter(
      ([path, field, isRequired]) => !path.includes('.') && !isRequired && field.default === undefined,
    );
    const withNulls = Object.fromEntries(optional.map(([path]) => [path, null]));
    expect(target.config.safeParse({ ...Object(filled), ...withNulls }).error).toBeUndefined();
  });
});

it('is the schema of the fields with labels, help, limits and examples', () => {
  const { config, secretFields } = targetOf('monitoring');
  expect(formSchemaOf(config, secretFields)).toMatchObject({
    type: 'object',
    description: 'Datadog Logs.',
    required: ['api_key'],
    additionalProperties: false,
    properties: {
      api_key: { type: 'string', title: 'Datadog API key', maxLength: 200, writeOnly: true },
      tags: { type: 'string', title: 'Tags', maxLength: 1024, examples: ['env:production,team:audit'] },
      site: { type: 'string', title: 'Datadog site', default: 'datadoghq.com' },
    },
  });
});

it('says that exactly one of role and access key is given', () => {
  const { config, secretFields } = targetOf('log_group');
  const { auth } = shown(formSchemaOf(config, secretFields)).properties ?? {};
  expect(auth).toMatchObject({ title: 'How Waybill signs in', minProperties: 1, maxProperties: 1 });
  expect(Object.keys(auth?.properties ?? {})).toEqual(['role', 'creds']);
  expect(Object.keys(auth?.properties?.['role']?.properties ?? {})).toEqual(['role_arn']);
});

it.each(['', ':*', ':log-stream:one'])(
  'the permissions of a role name the streams of a log group whose ARN ends with "%s"',
  (end) => {
    const group = 'arn:aws:logs:eu-central-1:123456789012:log-group:/audit/orders';
    const { pattern = '', suffix = '' } = targetOf('log_group').permissions?.resource ?? {};
    expect(new RegExp(pattern, 'u').exec(group + end)?.[0] + suffix).toBe(`${group}:*`);
  },
);
