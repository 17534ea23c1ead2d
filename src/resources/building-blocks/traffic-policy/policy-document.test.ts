import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEEPEST_POLICY, httpPhases, policyErrors, tcpPhases } from './policy-document.js';

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

function errorsOf(document: unknown, phases = httpPhases) {
  return policyErrors(typeof document === 'string' ? document : JSON.stringify(document), phases);
}

function inConfig(type: string, config: unknown) {
  return errorsOf({ on_http_request: [rule({ type, config })] }).map(({ pointer, detail }) => ({
    pointer: pointer.replace('/on_http_request/0/actions/0', ''),
    detail,
  }));
}

describe('a policy', () => {
  it.each([
    [{}, httpPhases],
    [{ on_http_request: [] }, httpPhases],
    [{ on_http_request: [rule(rewrite, answer), rule(deny)], on_http_response: [rule(compress)] }, httpPhases],
    [{ on_http_request: [{ name: 'no expressions', actions: [{ type: 'deny' }] }] }, httpPhases],
    [{ on_http_request: [rule({ type: 'add-headers', config: { headers: { any: ['thing'] } } })] }, httpPhases],
    [{ on_tcp_connect: [rule(deny, { type: 'restrict-ips', config: { enforce: true } })] }, tcpPhases],
  ])('is accepted when it is well formed (%#)', (document, phases) => {
    expect(errorsOf(document, phases)).toEqual([]);
  });

  it.each([
    ['not JSON', expect.stringMatching(/^is not JSON: /)],
    ['', expect.stringMatching(/^is not JSON: /)],
    ['[]', 'must be an object'],
    ['"{}"', 'must be an object'],
    ['null', 'must be an object'],
  ])('is refused with an empty pointer when it is %j', (text, detail: unknown) => {
    expect(errorsOf(text)).toEqual([{ pointer: '', detail }]);
  });

  it.each([
    [{ on_tcp_connect: [] }, '/on_tcp_connect', 'is unknown'],
    [{ on_http_requests: [] }, '/on_http_requests', 'is unknown'],
    [{ on_http_request: {} }, '/on_http_request', 'must be a list'],
    [{ on_http_request: [1] }, '/on_http_request/0', 'must be an object'],
    [{ on_http_request: [{ actions: [deny] }] }, '/on_http_request/0/name', 'is required'],
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

  it('for TCP has no HTTP phases', () => {
    expect(errorsOf({ on_http_request: [] }, tcpPhases)).toEqual([
      { pointer: '/on_http_request', detail: 'is unknown' },
    ]);
  });

  it('is refused with all of its errors, up to a limit', () => {
    const errors = errorsOf({ on_http_request: [{}, { name: 1, actions: [{}] }], on_dns: [] });
    expect(errors.map(({ pointer }) => pointer).toSorted()).toEqual([
      '/on_dns',
      '/on_http_request/0/actions',
      '/on_http_request/0/name',
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

  it('is checked without an exception, whatever its content', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json({ maxDepth: 8 })), (text) => {
        for (const { pointer, detail } of policyErrors(text, httpPhases)) {
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
