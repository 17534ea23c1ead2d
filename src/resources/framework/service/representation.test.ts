import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineResource, type ResourceRow } from '../definition/definition.js';
import { createdAt, identity, ref } from '../definition/fields.js';
import { assertLinkTargets, linksOf } from '../definition/links.js';
import { changesBetween, represent } from './representation.js';

const policy = { name: 'ip_policy', prefix: 'ipp', path: '/ip_policies' };
const edge = defineResource({
  name: 'edge',
  prefix: 'edg',
  path: '/edges',
  listKey: 'edges',
  title: { one: 'edge', many: 'edges' },
  summary: 'A thing with every sort of link.',
  create: z.strictObject({
    note: z.string().nullish(),
    restriction: z.object({ policy_ids: z.array(z.string()) }).nullish(),
  }),
  update: z.strictObject({}),
  read: z.object({
    ...identity,
    created_at: createdAt,
    note: z.string().nullable(),
    restriction: z.object({ policies: z.array(ref) }).nullable(),
    parent: ref.nullable(),
    key: z.string().nullable(),
  }),
  links: [
    { field: 'restriction.policy_ids', as: 'restriction.policies', to: [policy] },
    { field: 'parent_id', as: 'parent', to: [policy] },
  ],
  secrets: [{ path: 'key', required: false }],
});

function row(attributes: ResourceRow['attributes']): ResourceRow {
  const at = new Date('2026-01-02T03:04:05.678Z');
  return {
    id: 'edg_1',
    account_id: 'acc_1',
    kind: 'edge',
    parent_id: null,
    lease_id: null,
    attributes,
    version: 1,
    created_at: at,
    updated_at: at,
  };
}

const bases = (baseUrl: string) => ({ baseUrl, samlUrl: 'https://saml.test' });

describe('represent', () => {
  it('has exactly the members of the read schema, null for unset members', () => {
    expect(represent(edge, row({ stray: 'never shown' }), bases('https://api.test'))).toEqual({
      id: 'edg_1',
      uri: 'https://api.test/edges/edg_1',
      created_at: '2026-01-02T03:04:05.678Z',
      note: null,
      restriction: null,
      parent: null,
      key: null,
    });
  });

  it('has Refs for links, in order and at any depth, without their ids', () => {
    const shown = represent(
      edge,
      row({ restriction: { policy_ids: ['ipp_b', 'ipp_a'] }, parent_id: 'ipp_c' }),
      bases('https://x'),
    );
    expect(shown.restriction).toEqual({
      policies: [
        { id: 'ipp_b', uri: 'https://x/ip_policies/ipp_b' },
        { id: 'ipp_a', uri: 'https://x/ip_policies/ipp_a' },
      ],
    });
    expect(shown.parent).toEqual({ id: 'ipp_c', uri: 'https://x/ip_policies/ipp_c' });
    expect(JSON.stringify(shown)).not.toContain('policy_ids');
  });

  it('has null for a secret, even if it was stored in plain text by mistake', () => {
    expect(represent(edge, row({ key: 'leak' }), bases('https://x')).key).toBeNull();
  });
});

describe('changesBetween', () => {
  const before = { id: 'a', note: 'x', tags: ['1'] };

  it('returns only the changed members', () => {
    const changes = changesBetween(before, { ...before, note: 'y' });
    expect(changes).toEqual({ before: { note: 'x' }, after: { note: 'y' } });
  });

  it('returns null if nothing changed', () => {
    expect(changesBetween(before, { ...before, tags: ['1'] })).toBeNull();
  });

  it('returns a member with a changed secret, although it looks the same', () => {
    expect(changesBetween(before, before, ['tags'])).toEqual({
      before: { tags: ['1'] },
      after: { tags: ['1'] },
    });
  });
});

describe('links', () => {
  const attributes = { restriction: { policy_ids: ['ipp_a', 'ipp_b'] }, parent_id: null };

  it('are returned with role and position', () => {
    expect(linksOf(edge.links ?? [], attributes)).toEqual([
      { role: 'restriction.policy_ids', position: 0, toId: 'ipp_a' },
      { role: 'restriction.policy_ids', position: 1, toId: 'ipp_b' },
    ]);
  });

  it('without a target or to another family are refused, with a pointer to each', () => {
    const kinds = new Map([['ipp_a', 'event_destination']]);
    expect(() => assertLinkTargets(edge.links ?? [], attributes, kinds)).toThrow(
      expect.objectContaining({
        errors: [
          { pointer: '/restriction/policy_ids/0', detail: 'there is no ip policy with the id "ipp_a"' },
          { pointer: '/restriction/policy_ids/1', detail: 'there is no ip policy with the id "ipp_b"' },
        ],
      }),
    );
  });
});
