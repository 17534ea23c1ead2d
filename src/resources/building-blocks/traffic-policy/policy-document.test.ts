import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEEPEST_POLICY, policyErrors, type Traffic } from './policy-document.js';

const rewrite = { type: 'url-rewrite', config: { from: '/old/(.*)', to: '/new/$1' } };
const answer = {
  type: 'custom-response',
  config: { status_code: 503, headers: { 'Retry-After': '60' }, content: 'closed' },
};
const deny = { type: 'deny', config: { status_code: 403 } };
const compress = { type: 'compress-response', config: { algorithms: ['gzip', 'br', 'deflate', 'compress'] } };

function rule(...actions: readonly unknown[]) {
  return { name: 'a rule', expressions: ["req.method == 'GET'"], actions };
}

function errorsOf(document: unknown, traffic: Traffic = 'HTTP') {
  return policyErrors(typeof document === 'string' ? document : JSON.stringify(document), traffic);
}

function inConfig(type: string, config: unknown) {
  return errorsOf({ on_http_request: [rule({ type, config })] }).map(({ pointer, detail }) => ({
    pointer: pointer.replace('/on_http_request/0/actions/0', ''),
    detail,
  }));
}

/** Texts of the characters that YAML gives a meaning. */
const yaml = fc.string({
  unit: fc.constantFrom(...Array.from('ab:-?[]{},&*!|>%#\'" \n\t'), '- ', ': ', '\n  '),
  maxLength: 80,
});

describe('a policy', () => {
  it.each([
    [{}, 'HTTP'],
    [{ on_http_request: [] }, 'HTTP'],
    [{ on_http_request: [rule(rewrite, answer), rule(deny)], on_http_response: [rule(compress)] }, 'HTTP'],
    [{ on_http_request: [{ name: 'no expressions', actions: [{ type: 'deny' }] }] }, 'HTTP'],
    [{ on_http_request: [rule({ type: 'add-headers', config: { headers: { any: ['thing'] } } })] }, 'HTTP'],
    [{ on_tcp_connect: [rule(deny, { type: 'restrict-ips', config: { enforce: true } })] }, 'TCP'],
    [{ on_http_request: [{ actions: [deny] }] }, 'HTTP'],
    [{ on_tcp_connect: [{ actions: [deny] }] }, 'TLS'],
  ] as const)('is accepted when it is well formed (%#)', (document, traffic) => {
    expect(errorsOf(document, traffic)).toEqual([]);
  });

  it.each([
    ['{"on_http_request":[}', expect.stringMatching(/^is not JSON: /)],
    ['on_http_request: [', expect.stringMatching(/^is not YAML: line 1, column \d+: /)],
    ['text', 'must be an object'],
    ['', 'must be an object'],
    ['[]', 'must be an object'],
    ['"{}"', 'must be an object'],
    ['null', 'must be an object'],
  ])('is refused with an empty pointer when it is %j', (text, detail: unknown) => {
    expect(errorsOf(text)).toEqual([{ pointer: '', detail }]);
  });

  it.each([
    [
      { on_tcp_connect: [] },
      '/on_tcp_connect',
      'is a phase of TCP and TLS traffic. The phases of HTTP traffic are: on_http_request, on_http_response',
    ],
    [
      { on_http_requests: [] },
      '/on_http_requests',
      'is not a phase. The phases are: on_tcp_connect, on_http_request, on_http_response',
    ],
    [{ on_http_request: {} }, '/on_http_request', 'must be a list'],
    [{ on_http_request: [1] }, '/on_http_request/0', 'must be an object'],
    [{ on_http_request: [{ name: '', actions: [deny] }] }, '/on_http_request/0/name', 'must not be empty'],
    [{ on_http_request: [{ name: 'x' }] }, '/on_http_request/0/actions', 'is required'],
    [{ on_http_request: [{ ...rule(deny), if: 1 }] }, '/on_http_request/0/if', 'is unknown'],
    [{ on_http_request: [{ ...rule(deny), expressions: 'true' }] }, '/on_http_request/0/expressions', 'must be a list'],
    [{ on_http_request: [rule(deny), rule(deny, { config: {} })] }, '/on_http_request/1/actions/1/type', 'is required'],
    [{ on_http_request: [rule({ type: 'deny', with: 1 })] }, '/on_http_request/0/actions/0/with', 'is unknown'],
    [
      { on_http_request: [rule({ type: 'x', config: [] })] },
      '/on_http_request/0/actions/0/config',
      'must be an object',
    ],
  ])('is refused with a pointer to its error (%#)', (document, pointer, detail) => {
    expect(errorsOf(document)).toEqual([{ pointer, detail }]);
  });

  it.each(['TCP', 'TLS'] as const)('for %s has no HTTP phases', (traffic) => {
    const detail = `is a phase of HTTP traffic. The phases of ${traffic} traffic are: on_tcp_connect`;
    expect(errorsOf({ on_http_request: [] }, traffic)).toEqual([{ pointer: '/on_http_request', detail }]);
  });

  it('is refused with all of its errors, up to a limit', () => {
    const errors = errorsOf({ on_http_request: [{}, { name: 1, actions: [{}] }], on_dns: [] });
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual([
      '/on_dns',
      '/on_http_request/0/actions',
      '/on_http_request/1/actions/0/type',
      '/on_http_request/1/name',
    ]);
    expect(errorsOf({ on_http_request: Array.from({ length: 1000 }, () => ({})) })).toHaveLength(50);
  });

  it('may be nested up to the limit, and no deeper', () => {
    const nested = (levels: number): unknown => (levels === 0 ? 1 : [nested(levels - 1)]);
    // The document, the list of rules, a rule, the list of actions, an action and its configuration are six levels.
    const withDepth = (levels: number) => ({
      on_http_request: [rule({ type: 'x', config: { deep: nested(levels - 6) } })],
    });
    expect(errorsOf(withDepth(DEEPEST_POLICY))).toEqual([]);
    expect(errorsOf(withDepth(DEEPEST_POLICY + 1))).toEqual([
      { pointer: '', detail: `must not have more than ${DEEPEST_POLICY} levels` },
    ]);
    expect(errorsOf('['.repeat(12_000) + ']'.repeat(12_000))).toHaveLength(1);
  });

  it('is refused when a member is given twice, wherever it is', () => {
    const twice = '{"type":"deny","config":{"status_code":200,"status_code":403}}';
    const document = `{"on_http_request":[{"name":"a","actions":[${twice}]}],"on_http_request":[]}`;
    expect(errorsOf(document)).toEqual([
      { pointer: '/on_http_request/0/actions/0/config/status_code', detail: 'is given more than once' },
      { pointer: '/on_http_request', detail: 'is given more than once' },
    ]);
  });

  it('is checked without an exception, whatever its content', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json({ maxDepth: 8 }), yaml), (text) => {
        for (const { pointer, detail } of policyErrors(text, 'HTTP')) {
          expect([pointer === '' || pointer.startsWith('/'), detail.length > 0]).toEqual([true, true]);
        }
      }),
    );
  });
});

describe('the configuration of an action', () => {
  it.each([
    ['url-rewrite', { from: '/a' }, '/config/to', 'is required'],
    ['url-rewrite', { from: '', to: '/b' }, '/config/from', 'must not be empty'],
    ['url-rewrite', { from: '/a', to: '/b', code: 1 }, '/config/code', 'is unknown'],
    ['custom-response', {}, '/config/status_code', 'is required'],
    ['custom-response', { status_code: 99 }, '/config/status_code', 'must be at least 100'],
    ['custom-response', { status_code: 600 }, '/config/status_code', 'must be at most 599'],
    ['custom-response', { status_code: '200' }, '/config/status_code', 'must be a number'],
    [
      'custom-response',
      { status_code: 200, headers: { 'x-a': 'b\r\nx-c: d' } },
      '/config/headers/x-a',
      'must not hold control characters such as CR, LF or NUL',
    ],
    ['deny', { status_code: 1000 }, '/config/status_code', 'must be at most 599'],
    [
      'compress-response',
      { algorithms: ['zip'] },
      '/config/algorithms/0',
      'must be one of "gzip", "br", "deflate", "compress", "zstd"',
    ],
    ['compress-response', { algorithms: [] }, '/config/algorithms', 'must have at least 1 item'],
  ])('of type %s is checked: %j', (type, config, pointer, detail) => {
    expect(inConfig(type, config)).toEqual([{ pointer, detail }]);
  });

  it('may be any object when the type is unknown', () => {
    expect(inConfig('rate-limit', { capacity: 10, rate: '60s', nested: [{ a: null }] })).toEqual([]);
  });

  it('needs a type that is a name', () => {
    expect(inConfig('Deny all!', {})).toEqual([
      { pointer: '/type', detail: 'must be an action type such as custom-response' },
    ]);
  });
});

describe('a policy in YAML', () => {
  it('is checked as in JSON', () => {
    const text = `
# Closed at night.
on_http_request:
  - expressions: ["req.method == 'GET'"]
    actions:
      - type: custom-response
        config: { status_code: 999, headers: { retry-after: '60' } }
`;
    expect(errorsOf(text)).toEqual([
      { pointer: '/on_http_request/0/actions/0/config/status_code', detail: 'must be at most 599' },
    ]);
    expect(errorsOf(text.replace('999', '503'))).toEqual([]);
  });
});

describe('a document with values that readers cannot represent', () => {
  const action = (config: string) => `{"on_http_request":[{"actions":[{"type":"x","config":${config}}]}]}`;
  const inYaml = (config: string) => `on_http_request: [{ actions: [{ type: x, config: ${config} }] }]`;
  const inside = '/on_http_request/0/actions/0/config';

  it.each([
    ['1e400', `${inside}/a`, 'must be a number that a double can hold'],
    ['[0, -1e999]', `${inside}/a/1`, 'must be a number that a double can hold'],
    [String.raw`"\ud800"`, `${inside}/a`, 'must not contain NUL characters or unpaired surrogates'],
    [String.raw`"x\u0000"`, `${inside}/a`, 'must not contain NUL characters or unpaired surrogates'],
    [
      String.raw`{"\udfff": 1}`,
      `${inside}/a`,
      'has a name that must not contain NUL characters or unpaired surrogates',
    ],
  ])('is refused in JSON: %s', (value, pointer, detail) => {
    expect(errorsOf(action(`{"a":${value}}`))).toEqual([{ pointer, detail }]);
  });

  it.each([
    ['1e400', `${inside}/a`],
    [String.raw`"\ud800"`, `${inside}/a`],
    [String.raw`"x\0"`, `${inside}/a`],
    [String.raw`{ "\udfff": 1 }`, `${inside}/a`],
    [String.raw`{ "x\0": 1 }`, `${inside}/a`],
  ])('is refused in YAML: %s', (value, pointer) => {
    expect(errorsOf(inYaml(`{ a: ${value} }`))).toEqual([{ pointer, detail: expect.any(String) as string }]);
  });

  it.each([
    'on_http_request: []\n---\n',
    'on_http_request: []\r\n---\r\nfoo: 1',
    '--- {}\n--- {}',
    '# one\n---\n# two\n---\nfoo: 1',
    'on_http_request: []\n...\nfoo: 1',
    '---\n---\non_http_request: []',
  ])('is refused with a second document: %j', (text) => {
    expect(errorsOf(text)).toEqual([{ pointer: '', detail: 'must not have more than one YAML document' }]);
  });

  it('may have escaped surrogate pairs and numbers of any precision', () => {
    expect(errorsOf(action(String.raw`{"a":"\ud83d\ude00","b":1e308,"c":1e-400}`))).toEqual([]);
  });
});

describe('the errors of a document', () => {
  const long = 'z'.repeat(1_000);
  it.each([
    `{"${long}":1}`,
    `{"on_http_request":[{"${long}":1,"actions":[{"type":"x","${long}":1,"config":{"${long}":1e400}}]}]}`,
    `{"a":{"${long}":1,"${long}":2}}`,
    `on_http_request: [{ ${long}: 1 }]`,
    `a: { ${long}: 1, ${long}: 2 }`,
    `a: *${long}`,
    `a: !${long} 1`,
    `a: &${long} &${long} 1`,
  ])('repeat no long name of it: %j', (text) => {
    const errors = errorsOf(text);
    expect(errors.length).toBeGreaterThan(0);
    for (const { pointer, detail } of errors) {
      expect(pointer).not.toContain('z'.repeat(101));
      expect(detail).not.toContain('z'.repeat(101));
    }
  });
});
