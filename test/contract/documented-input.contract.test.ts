import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fillPath, type Operation } from '../../tools/attack/requests/operations.js';
import { valuesOf, type Schema } from '../../tools/attack/requests/schema-values.js';
import { resolved } from '../../tools/openapi/api-document.js';
import type { JsonObject, TestResponse } from '../support/api-client.js';
import { createFixtures, document, operations, PUBLISHED_TYPE, type Fixtures } from '../support/fixtures.js';
import { startTestApi, type TestApi } from '../support/test-api.js';

let api: TestApi;
let fixtures: Fixtures;
beforeAll(async () => {
  api = await startTestApi();
  fixtures = await createFixtures(api);
});
afterAll(() => api.close());

const SEED = 20_260_101;
const RUNS = 25;
/** Bodies of an update, whose fields a creation has as well. */
const RUNS_OF_UPDATE = 10;

/** Why input that is valid by the document may be refused: rules that its schemas cannot express. */
const reasons: readonly (readonly [why: string, detail: RegExp])[] = [
  ['the referenced resource does not exist', /^there is no /],
  ['an event type is not in the catalogue', /is not an event type/],
  ['a range has bits outside of its network', /^has host bits set/],
  ['a role belongs to another partition or account than its target', /^must be a role in the /],
  ['a secret was never stored, or what it belongs to changed', /^is required($|, since )/],
  ['a range has no length', /^must be later than from$/],
  ['a range is in the future', /^must (be earlier than now|not be later than a year from now)$/],
  ['a range has too many steps', /^makes \d+ steps of this range, /],
  ['a range is not in the past, or exceeds the retention', /^must be (in the past|later than \S+, since when )/],
  ['a rate exceeds a setting', /^must not be higher than \d+, the setting /],
  ['the filter of an export leaves nothing', /^no event matches the filter$/],
  ['names that differ only in case', /^(occurs twice: header names|must not name the same hostport twice)/],
  ['a name belongs to the service', /^must (not )?be a (domain|name) of the /],
  ['a name belongs to the service', /is the name of a built-in (resource|event)$/],
  [
    'a pointer leads nowhere in the schema',
    /^must (lead to a value|be a JSON pointer|keep |not (be lower|change within))/,
  ],
  ['a policy does not suit the protocol of the URL', /^in the policy, /],
  ['a number is not exact in a double', /JSON parsers round/],
  // Generators lose the members of a schema with such a rule: docs/decisions/interface.md.
  ['none or several of the members are set', /^must have (exactly one of|either event_ids or state)|^exactly one of /],
  ['a member needs another one', /^is (required with|required when|allowed only with) /],
  ['a read-only member differs from the stored one', /^is read-only, and /],
];

const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
ajv.addSchema(document, 'document');

function validatorAt(...path: readonly string[]): ValidateFunction {
  const pointer = path
    .map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');
  return ajv.compile({ $ref: `document#${pointer}` });
}

/** The validator of a response body; undefined when the response has none. */
const responseValidators = new Map<string, ValidateFunction>();
function assertDocumented({ method, path }: Operation, { status, body, text, headers }: TestResponse): void {
  const type = headers.get('content-type')?.replace(/;.*/, '') ?? 'application/json';
  const at = ['paths', path, method.toLowerCase(), 'responses', String(status), 'content', type, 'schema'];
  const documented = at.reduce<unknown>((value, name) => (value as JsonObject | undefined)?.[name], document);
  const isJson = type === 'application/json';
  // A file may be empty.
  if (isJson) expect(documented === undefined, `${method} ${path} ${status}`).toBe(text === '');
  if (documented === undefined) return;
  const key = at.join(' ');
  const validate = responseValidators.get(key) ?? validatorAt(...at);
  responseValidators.set(key, validate);
  expect(validate(isJson ? body : text) ? [] : validate.errors, `${method} ${path} ${status}: ${text}`).toEqual([]);
}

/** The properties whose values only this test knows: existing ids, and texts in languages of their own. */
function knownValues(operation: Operation): (name: string) => fc.Arbitrary<unknown> | undefined {
  const sample = fixtures.bodyOf(operation) ?? {};
  const one = (...path: readonly string[]) =>
    path.map((collection) => fixtures.parametersOf(`${collection}/{id}`).at(-1) ?? '');
  const ids: Readonly<Record<string, readonly string[]>> = {
    backend_id: one('/backends/http_response', '/backends/tunnel_group'),
    ip_policy_id: one('/ip_policies'),
    owner_id: one('/users', '/bot_users'),
    destination_id: one('/event_destinations'),
    endpoint_configuration_id: one('/endpoint_configurations'),
  };
  const lists: Readonly<Record<string, readonly string[]>> = {
    backends: one('/backends/http_response', '/backends/tunnel_group'),
    ip_policy_ids: one('/ip_policies'),
    destination_ids: one('/event_destinations'),
    event_ids: one('/events'),
  };
  const policies: readonly string[] = ['{}', '# nothing', '{"on_http_request": []}', 'on_http_response: []'];
  return (name) => {
    const list = lists[name];
    if (list) return fc.subarray([...list], { minLength: 1 });
    const single = ids[name];
    if (single) return fc.constantFrom(...single);
    if (operation.path === '/events') return publishedValues(name);
    if (operation.path === '/session' && name === 'token') return fc.constant(api.admin.token);
    if (operation.path.endsWith('/recoveries') && name === 'states')
      return fc.subarray(['rejected', 'expired'], { minLength: 1 });
    if (operation.path.endsWith('/backfills')) return backfillValues(name);
    if (operation.path.startsWith('/event_subscriptions') && name === 'filter')
      return fc.constantFrom(null, 'version > 0', 'principal.subject != "nobody"');
    if (operation.path.endsWith('/preview') && name === 'type') return fc.constantFrom(...eventTypes);
    if (name === 'allow' || name === 'deny')
      return fc.array(fc.stringMatching(/^[a-z]{1,9}(?:\.\*)?$/), { maxLength: 3 });
    if (name === 'match') return fc.constantFrom('/', '/api/', 'example.com', '*.example.com:443/a');
    if (name === 'schema') return fc.constantFrom(null, { type: 'object' });
    if (name === 'redact') return fc.constantFrom([], ['/card/number']);
    if (name === 'certificate_id') return fc.constant(null);
    if (name === 'email_addresses') return fc.subarray(['one@example.com', 'two@example.org']);
    if (name === 'traffic_policy' && operation.path.startsWith('/endpoints')) return fc.constantFrom(null, policies[0]);
    if (name === 'value') return fc.constantFrom('{}', '# nothing\n{}');
    if (name === 'cidr') return fc.constantFrom('192.0.2.1', '198.51.100.0/24', '2001:db8::/32');
    if (name === 'idp_metadata') return fc.constant(samlMetadata());
    if (name.endsWith('_pem') && name in sample) return fc.constant(sample[name]);
    if (name === 'type' && operation.path.endsWith('/sources')) return fc.constantFrom(...eventTypes);
    if (name === 'sources')
      return fc
        .uniqueArray(fc.constantFrom(...eventTypes), { maxLength: 3 })
        .map((types) => types.map((type) => ({ type })));
    return undefined;
  };
}

/** The members of a published event that no keyword describes. */
function publishedValues(name: string): fc.Arbitrary<unknown> | undefined {
  if (name === 'type') return fc.constant(PUBLISHED_TYPE);
  if (name === 'object') return fc.constantFrom({}, { total: 1, lines: [{ a: null }] });
  if (name === 'at') return fc.constant(new Date().toISOString());
  return name === 'occurred_at' ? fc.constantFrom(null, new Date().toISOString()) : undefined;
}

/** The members of a backfill whose values depend on its destination and on the time. */
function backfillValues(name: string): fc.Arbitrary<unknown> | undefined {
  if (name === 'types') return fc.constantFrom(['ip_policy_created.v0'], ['bot_user_deleted.v0']);
  if (name === 'filter') return fc.constantFrom(null, 'version == 1');
  return name === 'from' ? fc.constantFrom('2020-01-01T00:00:00Z', new Date().toISOString()) : undefined;
}

/** Objects of which exactly one member is set, which the document says in words. */
const exclusive = new Set(['target', 'auth', 'provider']);

/** Returns a copy of a body in which such objects have one member, if they have any. */
function withOneMember(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => withOneMember(item));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => [key, withOneMember(member, key)] as const);
  const set = members.filter(([, member]) => member !== null);
  const kept = set[JSON.stringify(value).length % set.length];
  return Object.fromEntries(exclusive.has(name) && kept ? [kept] : members);
}

const eventTypes = ['ip_policy_created.v0', 'bot_user_deleted.v0', 'endpoint_updated.v0'];

function samlMetadata(): unknown {
  return fixtures.bodyOf({
    method: 'PUT',
    path: '/edges/https/{edge_id}/routes/{id}/saml',
    body: undefined,
    statuses: [],
  })?.idp_metadata;
}

/** The errors of a refused request that no reason explains. */
function unexplained({ status, body, text }: TestResponse): readonly string[] {
  if (status !== 400 && status !== 422) return [];
  const { errors = [] } = body as { errors?: readonly { pointer: string; detail: string }[] };
  if (errors.length === 0) return [text];
  return errors
    .filter(({ detail }) => !reasons.some(([, form]) => form.test(detail)))
    .map(({ pointer, detail }) => `${pointer}: ${detail}`);
}

const withBody = operations
  .filter(({ body, method }) => body !== undefined && method !== 'DELETE')
  .map((operation) => [`${operation.method} ${operation.path}`, operation] as const);

describe.concurrent('a body that is valid by the document', () => {
  it.each(withBody)(
    'of %s is accepted, or refused for a reason that no schema of the document can express',
    async (name, operation) => {
      const { method, path } = operation;
      const validate = validatorAt(
        'paths',
        path,
        method.toLowerCase(),
        'requestBody',
        'content',
        'application/json',
        'schema',
      );
      const values = valuesOf(operation.body as Schema, {
        schemas: document.components.schemas,
        known: knownValues(operation),
      });
      const refused = new Set<string>();
      let accepted = 0;
      const bodies = fc.sample(
        values.filter((value) => validate(value)).map((value) => withOneMember(value)),
        { seed: SEED, numRuns: RUNS },
      );
      for (const [index, body] of bodies.entries()) {
        if (method !== 'POST' && index >= RUNS_OF_UPDATE && accepted > 0) break;
        const response = await api.admin.send(method, fillPath(path, fixtures.parametersOf(path)), body);
        expect(response.status, response.text).toBeLessThan(500);
        for (const error of unexplained(response)) refused.add(`${error} in ${JSON.stringify(body).slice(0, 500)}`);
        if (response.status < 300) {
          accepted += 1;
          assertDocumented(operation, response);
        }
      }
      expect([...refused], name).toEqual([]);
      expect(accepted, name).toBeGreaterThan(0);
    },
  );
});

interface Parameter {
  readonly $ref?: string;
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

const { components, paths } = document as unknown as {
  components: { parameters: Readonly<Record<string, Parameter>> };
  paths: Readonly<Record<string, Readonly<Record<string, { parameters?: readonly Parameter[] }>>>>;
};

function parametersOf({ method, path }: Operation): readonly Parameter[] {
  const all = paths[path]?.[method.toLowerCase()]?.parameters ?? [];
  return all.map((one) => resolved(one, components.parameters)).filter(({ in: place }) => place !== 'path');
}

const seen = new Set<string>();
/** The reads, each with its number of runs: fewer where an earlier one has the same parameters. */
const reads = operations
  .filter(({ method }) => method === 'GET')
  .map((operation) => {
    const names = JSON.stringify(parametersOf(operation).map(({ name }) => name));
    const runs = seen.has(names) ? 3 : 8;
    seen.add(names);
    return [`GET ${operation.path}`, operation, runs] as const;
  });

describe.concurrent('parameters that are valid by the document', () => {
  it.each(reads)('of %s are accepted, and the response is as documented', async (name, operation, numRuns) => {
    const path = fillPath(operation.path, fixtures.parametersOf(operation.path));
    assertDocumented(operation, await api.admin.get(path));
    const parameters = parametersOf(operation);
    if (parameters.length === 0) return;
    const options = { schemas: document.components.schemas };
    const values = fc.record(
      Object.fromEntries(parameters.map((parameter) => [parameter.name, valuesOf(parameter.schema, options)])),
      { requiredKeys: [] },
    );
    const refused = new Set<string>();
    for (const given of fc.sample(values, { seed: SEED, numRuns })) {
      const query = new URLSearchParams();
      const headers: Record<string, string> = {};
      for (const [parameter, value] of Object.entries(given)) {
        const place = parameters.find((one) => one.name === parameter)?.in;
        if (place === 'header') headers[parameter] = String(value);
        else for (const each of [value].flat()) query.append(parameter, String(each));
      }
      const response = await api.admin.get(query.size === 0 ? path : `${path}?${query.toString()}`, headers);
      for (const error of unexplained(response)) refused.add(`${error} in ${JSON.stringify(given)}`);
      if (response.status === 200) assertDocumented(operation, response);
    }
    expect([...refused], name).toEqual([]);
  });
});

const creations = operations
  .filter(({ method, body }) => method === 'POST' && body !== undefined)
  .map((operation) => [operation.path, operation] as const);

it.each(creations)('POST %s without a body fails as with an empty object, or succeeds', async (_, operation) => {
  const path = fillPath(operation.path, fixtures.parametersOf(operation.path));
  const without = await api.admin.send('POST', path, '');
  const withEmpty = await api.admin.send('POST', path, {});
  expect(without.status, without.text).toBeLessThan(500);
  expect([without.status, 400], without.text).toContain(withEmpty.status);
});
