import { describe, expect, it } from 'vitest';
import { makeClientOperations } from './client-operations.js';

const operation = (operationId: string, tag: string) => ({
  operationId,
  summary: 'Do something',
  tags: [tag],
  responses: {
    200: { content: { 'application/json': { schema: { properties: { uri: {}, items: { type: 'array' } } } } } },
  },
});

const components = {
  parameters: { Limit: { in: 'query' }, IfNoneMatch: { in: 'header' } },
  schemas: {
    BuiltInEventPayload: { discriminator: { mapping: {} } },
    NoteList: { properties: { notes: { type: 'array' } } },
  },
};
const named = { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/NoteList' } } } } };
const text = makeClientOperations({
  components,
  paths: {
    '/ip_policies': {
      get: { ...operation('listIpPolicies', 'IP policies'), parameters: [{ in: 'query' }] },
      post: { ...operation('createIpPolicy', 'IP policies'), requestBody: {}, description: 'Long.' },
    },
    '/ip_policies/{id}': {
      get: {
        ...operation('getIpPolicy', 'IP policies'),
        parameters: [{ $ref: '#/components/parameters/IfNoneMatch' }],
      },
    },
    '/ip_policies/{id}/status': { get: operation('getIpPolicyStatus', 'IP policies') },
    '/ip_policies/{id}/rules': { put: operation('replaceIpPolicyRules', 'IP policies') },
    '/notes': {
      get: {
        ...operation('listNotes', 'Notes'),
        parameters: [{ $ref: '#/components/parameters/Limit' }],
        responses: named,
      },
    },
    '/livez': { get: operation('isAlive', 'Health') },
    '/backends/http_response/{id}': { get: operation('getHttpResponseBackend', 'HTTP-response backends') },
  },
});

/** The names of the methods, by namespace. */
function methods(): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  let namespace = '';
  for (const line of text.split('\n')) {
    const [, opened] = /^ {2}(\w+): \{$/.exec(line) ?? [];
    const [, method] = /^ {4}(\w+): \{ id/.exec(line) ?? [];
    if (opened !== undefined) namespace = opened;
    if (method !== undefined) (found[namespace] ??= []).push(method);
  }
  return found;
}

describe('makeClientOperations', () => {
  it('names namespaces after tags, and methods after operation ids without the noun of the family', () => {
    expect(methods()).toEqual({
      health: ['isAlive'],
      httpResponseBackends: ['get'],
      ipPolicies: ['list', 'create', 'get', 'getStatus', 'replaceRules'],
      notes: ['list'],
    });
  });

  it('says what a method takes, and where a list has its items', () => {
    expect(text).toContain(
      "list: { id: 'listIpPolicies', method: 'GET', path: '/ip_policies', takes: 'query', items: 'items' },",
    );
    expect(text).toContain("list: { id: 'listNotes', method: 'GET', path: '/notes', takes: 'query', items: 'notes' },");
    expect(text).toContain("create: { id: 'createIpPolicy', method: 'POST', path: '/ip_policies', takes: 'body' },");
    expect(text).toContain("get: { id: 'getIpPolicy', method: 'GET', path: '/ip_policies/{id}' },");
    expect(text).toContain("getStatus: { id: 'getIpPolicyStatus', method: 'GET', path: '/ip_policies/{id}/status' },");
  });

  it('has the texts of the document as comments', () => {
    expect(text).toContain('     * Do something.\n     *\n     * Long.\n     */\n    create:');
  });

  it('refuses an operation with a body and a query', () => {
    const both = { ...operation('createNote', 'Notes'), requestBody: {}, parameters: [{ in: 'query' }] };
    expect(() => makeClientOperations({ components, paths: { '/notes': { post: both } } })).toThrow(
      'createNote has a body and a',
    );
  });
});
