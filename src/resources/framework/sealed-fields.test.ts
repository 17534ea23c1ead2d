import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../problems/problem.js';
import { membersOf, separateSecrets } from './sealed-fields.js';

const definitions = [
  { path: 'target.monitoring.api_key', required: true },
  { path: 'oauth.client_secret', required: false },
];

describe('separateSecrets', () => {
  it('takes a given secret out and puts null in its place', () => {
    const result = separateSecrets(
      definitions,
      { target: { monitoring: { api_key: 's3cret', site: 'x' } } },
      new Map(),
    );
    expect(result.attributes).toEqual({ target: { monitoring: { api_key: null, site: 'x' } } });
    expect([...result.put]).toEqual([['target.monitoring.api_key', 's3cret']]);
    expect(membersOf(result)).toEqual(['target']);
  });

  it.each([undefined, null])('keeps what is stored when the secret is %s', (given) => {
    const stored = new Map([['target.monitoring.api_key', 'old']]);
    const result = separateSecrets(definitions, { target: { monitoring: { api_key: given } } }, stored);
    expect([result.put.size, result.remove.length]).toEqual([0, 0]);
    expect(membersOf(result)).toEqual([]);
  });

  it('sees no change in a secret that is the same as before', () => {
    const stored = new Map([['target.monitoring.api_key', 'same']]);
    expect(
      separateSecrets(definitions, { target: { monitoring: { api_key: 'same' } } }, stored).put.size,
    ).toBe(0);
  });

  it('removes a secret whose holder is gone', () => {
    const stored = new Map([['oauth.client_secret', 'old']]);
    expect(separateSecrets(definitions, { oauth: null }, stored).remove).toEqual(['oauth.client_secret']);
  });

  it('names a required secret that is neither given nor stored, and only a required one', () => {
    const missing = () => separateSecrets(definitions, { target: { monitoring: {} }, oauth: {} }, new Map());
    expect(missing).toThrow(Problem);
    try {
      missing();
    } catch (error) {
      expect((error as Problem).errors).toEqual([
        { pointer: '/target/monitoring/api_key', detail: 'is required' },
      ]);
    }
  });

  it('never leaves a secret in the attributes', () => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[a-z0-9]{12,40}$/),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (secret, rest) => {
          const attributes = { ...rest, target: { monitoring: { api_key: `S-${secret}` } } };
          const result = separateSecrets(definitions, attributes, new Map());
          expect(JSON.stringify(result.attributes)).not.toContain(`S-${secret}`);
        },
      ),
    );
  });
});
