import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../../problems/problem.js';
import type { Attributes } from '../definition/definition.js';
import { membersOf, separateSecrets } from './sealed-fields.js';

const definitions = [
  { path: 'target.monitoring.api_key', required: true },
  { path: 'oauth.client_secret', required: false },
];

describe('separateSecrets', () => {
  it('replaces a given secret with null', () => {
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

  it('reports no change for an unchanged secret', () => {
    const stored = new Map([['target.monitoring.api_key', 'same']]);
    expect(separateSecrets(definitions, { target: { monitoring: { api_key: 'same' } } }, stored).put.size).toBe(0);
  });

  it('removes a secret whose parent object is gone', () => {
    const stored = new Map([['oauth.client_secret', 'old']]);
    expect(separateSecrets(definitions, { oauth: null }, stored).remove).toEqual(['oauth.client_secret']);
  });

  it('refuses a missing secret only if it is required', () => {
    const missing = () => separateSecrets(definitions, { target: { monitoring: {} }, oauth: {} }, new Map());
    expect(missing).toThrow(Problem);
    try {
      missing();
    } catch (error) {
      expect((error as Problem).errors).toEqual([{ pointer: '/target/monitoring/api_key', detail: 'is required' }]);
    }
  });

  describe('with a secret that is kept while its siblings are unchanged', () => {
    const bound = [
      {
        path: 'oauth.secret',
        required: (holder: Attributes) => holder.client_id != null,
        keptWhileUnchanged: ['client_id'],
      },
    ];
    const stored = new Map([['oauth.secret', 'old']]);
    const before = { oauth: { client_id: 'a' } };

    it('keeps the secret while the siblings are unchanged', () => {
      const { put, remove } = separateSecrets(bound, { oauth: { client_id: 'a', x: 1 } }, stored, before);
      expect([put.size, remove.length]).toEqual([0, 0]);
    });

    it('requires the secret if a sibling changed, and names the sibling', () => {
      expect(() => separateSecrets(bound, { oauth: { client_id: 'b' } }, stored, before)).toThrow(
        '/oauth/secret: is required, since client_id changed',
      );
    });

    it('accepts a new or an equal secret with changed siblings', () => {
      const given = (secret: string) => separateSecrets(bound, { oauth: { client_id: 'b', secret } }, stored, before);
      expect([...given('new').put]).toEqual([['oauth.secret', 'new']]);
      expect([given('old').put.size, given('old').remove.length]).toEqual([0, 0]);
    });

    it('removes the secret if the changed siblings do not require it', () => {
      expect(separateSecrets(bound, { oauth: { client_id: null } }, stored, before).remove).toEqual(['oauth.secret']);
    });
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
