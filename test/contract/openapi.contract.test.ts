import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it } from 'vitest';
import { errorCodes } from '../../src/problems/error-codes.js';
import { eventCatalogue } from '../../src/resources/event-types.js';
import { isSharedPattern } from '../support/shared-pattern.js';

const document: unknown = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));

it('the OpenAPI document is valid 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(document as Parameters<Validator['validate']>[0]);
  expect(result.valid, JSON.stringify(result.errors)).toBe(true);
  expect(validator.version).toBe('3.1');
});

it('every status whose response can have Retry-After lists the header', () => {
  const { components } = document as { components: { responses: Record<string, { headers: object }> } };
  const listed = Object.entries(components.responses).filter(([, { headers }]) => 'Retry-After' in headers);
  expect(listed.map(([name]) => name)).toEqual(['Problem409', 'Problem429', 'Problem503']);
});

it('every operation has a unique id, a summary and error responses', () => {
  const { paths, tags } = document as {
    paths: Record<string, Record<string, { operationId?: string; summary?: string; responses: object }>>;
    tags: { name: string; description: string }[];
  };
  const operations = Object.values(paths).flatMap((item) => Object.values(item));
  const ids = operations.map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(operations.length);
  for (const { operationId, summary, responses } of operations) {
    expect(summary, operationId).toMatch(/\w/);
    expect(
      Object.keys(responses).some((status) => status.startsWith('4')),
      operationId,
    ).toBe(true);
  }
  expect(tags.filter(({ description }) => description === '')).toEqual([]);
});

/** Every schema in a value, with those that it references. */
function schemasIn(value: unknown, seen = new Set<string>()): readonly Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap((member) => schemasIn(member, seen));
  if (typeof value !== 'object' || value === null) return [];
  const { $ref } = value as { $ref?: unknown };
  if (typeof $ref !== 'string')
    return [{ ...value }, ...Object.values(value).flatMap((member) => schemasIn(member, seen))];
  if (seen.has($ref)) return [];
  seen.add($ref);
  const target = $ref.split('/').slice(1);
  return schemasIn(
    target.reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], document),
    seen,
  );
}

interface WithBodies {
  readonly operationId: string;
  readonly requestBody?: unknown;
  readonly responses: unknown;
}

const all = Object.entries((document as { paths: Record<string, Record<string, WithBodies>> }).paths).flatMap(
  ([path, item]) => Object.entries(item).map(([method, operation]) => ({ path, method, operation })),
);

it('the body of every request has a name, after its operation where no other is given', () => {
  const names = all.flatMap(({ operation: { operationId, requestBody } }) => {
    const body = requestBody as { content: Record<string, { schema: { $ref?: string } }> } | undefined;
    if (body === undefined) return [];
    return [[operationId, body.content['application/json']?.schema.$ref?.split('/').at(-1)]];
  });
  const given = names.filter(([id = '', name]) => name !== `${id.charAt(0).toUpperCase()}${id.slice(1)}`);
  expect(given).toEqual([['redeliverEvents', 'RedeliveryInput']]);
  expect(names.length).toBeGreaterThan(50);
});

it('only requests have secrets', () => {
  const isSecret = ({ format }: Record<string, unknown>) => format === 'password';
  expect(all.filter(({ operation }) => schemasIn(operation.responses).some(isSecret))).toEqual([]);
  expect(all.filter(({ operation }) => schemasIn(operation.requestBody).some(isSecret)).length).toBeGreaterThan(5);
});

it('nothing is only for requests or only for responses, because each of them has its own schemas', () => {
  const every = schemasIn(document);
  expect(every.length).toBeGreaterThan(1_000);
  expect(every.filter((schema) => 'writeOnly' in schema || 'readOnly' in schema)).toEqual([]);
});

it('every integer has a format', () => {
  const integers = schemasIn(document).filter(({ type }) => [type].flat().includes('integer'));
  expect(integers.length).toBeGreaterThan(50);
  expect(integers.filter(({ format }) => format !== 'int32' && format !== 'int64')).toEqual([]);
});

it('no member of a request has the keyword default, which some generators take for required', () => {
  const members = all.flatMap(({ operation }) =>
    schemasIn(operation.requestBody).flatMap(({ properties = {} }) => Object.values(properties as object)),
  );
  expect(members.length).toBeGreaterThan(300);
  expect(members.filter((member: object) => 'default' in member)).toEqual([]);
});

/** Every object of the document, and of the schemas of `GET /event_types/{type}`, that has one of these members. */
function having(...keywords: readonly string[]): readonly Record<string, unknown>[] {
  return objects.filter((object) => keywords.some((name) => name in object));
}

const ofEvents = eventCatalogue.all().map(({ type }) => eventCatalogue.schemaOf(type));
const published = eventCatalogue.publishedSchema('order_created.v0', 'An order.', { type: 'object' });
const objects = objectsIn([document, ...ofEvents, published]);

function objectsIn(value: unknown): readonly Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap((item) => objectsIn(item));
  if (typeof value !== 'object' || value === null) return [];
  return [{ ...value }, ...Object.values(value).flatMap((member) => objectsIn(member))];
}

it('every pattern is one that validators in other languages can use, and means the same there', () => {
  const patterns = having('pattern').flatMap(({ pattern }) => (typeof pattern === 'string' ? [pattern] : []));
  expect(patterns.length).toBeGreaterThan(200);
  expect(patterns.filter((pattern) => !isSharedPattern(pattern))).toEqual([]);
});

const UNSHARED =
  'a.b a\\d [\\w] \\s* \\p{L} \\u0000 \\bword ä [^ä] [a--b] [a&&b] a{1001} (?<name>a) (?P<name>a) (?=a) (?!a) (?<=a) (?i)a (a)\\1 \\Aa a++ [a (a a) {';

it.each(UNSHARED.split(' '))('the pattern %s is not such a one', (pattern) => {
  expect(isSharedPattern(pattern)).toBe(false);
});

it('a text has a pattern or a format that generated clients parse, not both', () => {
  const both = having('pattern').filter(({ pattern, format }) => typeof pattern === 'string' && format !== undefined);
  expect(both.filter(({ format }) => format !== 'password')).toEqual([]);
});

it('no format is one of ECMAScript, because patterns in requests are of RE2', () => {
  expect(having('format').filter(({ format }) => format === 'regex')).toEqual([]);
});

it('no member can only be null, for which many generators have no type', () => {
  const members = having('properties').flatMap(({ properties }) => Object.values(properties as object));
  expect(members.length).toBeGreaterThan(3_000);
  expect(members.filter(({ type }: { type?: unknown }) => type === 'null')).toEqual([]);
});

it('the values of an enumeration differ in more than their case, and so do the names that are made of them', () => {
  const lists = having('enum').map((schema) => (schema['enum'] as readonly unknown[]).map((value) => String(value)));
  expect(lists.length).toBeGreaterThan(50);
  expect(lists.filter((values) => new Set(values.map((value) => value.toUpperCase())).size < values.length)).toEqual(
    [],
  );
});

it('a union is one of named schemas, and an object has its members beside no union', () => {
  const unions = having('oneOf', 'anyOf').flatMap(({ oneOf, anyOf, ...schema }) => {
    const forms = [oneOf ?? anyOf].flat().filter((form) => (form as { type?: unknown }).type !== 'null');
    return forms.length === 1 && !('properties' in schema) ? [] : [{ forms, schema }];
  });
  const named = ({ forms }: { forms: readonly unknown[] }) => forms.every((form) => '$ref' in (form as object));
  expect(unions.filter((union) => !named(union) || 'properties' in union.schema)).toEqual([]);
  const { components } = document as { components: { schemas: Record<string, object> } };
  const names = Object.entries(components.schemas).filter(([, schema]) => 'oneOf' in schema || 'anyOf' in schema);
  expect(names.map(([name]) => name)).toEqual(['BuiltInEventPayload', 'CreateSession', 'EventPayload']);
});

it('the key is no JWT, a session may replace it, and a client sets the version of the API once', () => {
  const { components } = document as { components: { securitySchemes: unknown; parameters: object } };
  expect(components.securitySchemes).toEqual({
    api_key: { type: 'http', scheme: 'bearer', bearerFormat: 'API key', description: expect.any(String) },
    session: { type: 'apiKey', in: 'cookie', name: 'waybill_session', description: expect.any(String) },
    service_version: { type: 'apiKey', in: 'header', name: 'Service-Version', description: expect.any(String) },
  });
  const needed = all.map(({ operation }) => (operation as unknown as { security: readonly object[] }).security);
  const [withKey, open] = [needed.filter(([first]) => first), needed.filter(([first]) => !first)];
  const alternatives = [
    { api_key: [], service_version: [] },
    { session: [], service_version: [] },
  ];
  expect(withKey).toEqual(withKey.map(() => alternatives));
  expect(open.length).toBeLessThan(6);
  expect(schemasIn(document).filter(({ name, type }) => name === 'Service-Version' && type !== 'apiKey')).toEqual([]);
});

it('the codes of errors have a name, and are those of the source', () => {
  const { components } = document as { components: { schemas: Record<string, { enum?: unknown }> } };
  expect(components.schemas['ErrorCode']?.enum).toEqual(Object.keys(errorCodes));
});

it('a secret is required where none can be stored yet, and only there', () => {
  const requiring = (secret: string) =>
    all
      .filter(({ operation }) =>
        schemasIn(operation.requestBody).some(
          ({ properties = {}, required = [] }) =>
            secret in (properties as object) && (required as readonly string[]).includes(secret),
        ),
      )
      .map(({ method, path }) => `${method} ${path}`);
  const create = ['post /event_destinations'];
  expect(requiring('api_key')).toEqual(create);
  expect(requiring('cloud_secret_access_key')).toEqual(create);
  expect(requiring('private_key_pem')).toEqual(['post /tls_certificates']);
  expect(requiring('client_secret')).toEqual(['post /edges/https/{edge_id}/routes', ...create]);
});
