import { expect, it } from 'vitest';
import { families, familyNamed, familyOfId, listPath } from './families.js';
import { parentIn, readReference, referencesIn, refersTo } from './references.js';

const SUFFIX = '01jd0000000000000000000000';
const ipp = `ipp_${SUFFIX}`;
const ed = `ed_${SUFFIX}`;
const usr = `usr_${SUFFIX}`;

it('finds Refs and plain ids in any depth, each resource once with all its members', () => {
  const ref = { id: ipp, uri: `https://waybill.example.com/ip_policies/${ipp}` };
  const resource = {
    id: `edghtsrt_${SUFFIX}`,
    uri: 'https://waybill.example.com/edges/https/x',
    owner_id: usr,
    ip_restriction: { enabled: true, ip_policies: [ref, ref] },
    other: { policy_id: ipp },
    destinations: [{ id: ed, uri: 'x' }],
    absent: null,
  };
  expect(referencesIn(resource).map(({ id, family, fields }) => [id, family.name, fields])).toEqual([
    [usr, 'user', ['owner_id']],
    [ipp, 'ip_policy', ['ip_restriction.ip_policies', 'other.policy_id']],
    [ed, 'event_destination', ['destinations']],
  ]);
});

it('takes no text of a person for a reference, and not the resource itself', () => {
  expect(referencesIn({ id: ipp, uri: ipp, description: ed, metadata: ed })).toEqual([]);
});

it('finds the event that links a resource, the one that unlinks it, and no later one', () => {
  const unlinked = { id: `edghtsrt_${SUFFIX}`, uri: 'x', ip_restriction: { enabled: true, ip_policies: [] } };
  const linked = { enabled: true, ip_policies: [{ id: ipp, uri: 'x' }] };
  const before = { ip_restriction: linked };
  expect(refersTo({ object: { ...unlinked, ...before } }, ipp)).toBe(true);
  expect(refersTo({ object: unlinked, changes: { before } }, ipp)).toBe(true);
  expect(refersTo({ object: unlinked, changes: { before: { description: ipp } } }, ipp)).toBe(false);
  expect(refersTo({ object: unlinked }, ipp)).toBe(false);
});

it('knows the family of an id by its whole prefix', () => {
  expect(familyOfId(`edghtsrt_${SUFFIX}`)?.name).toBe('https_edge_route');
  expect(familyOfId(`edghts_${SUFFIX}`)?.name).toBe('https_edge');
  for (const text of ['', 'ed', 'ed_', `ed_${SUFFIX}x`, `xx_${SUFFIX}`, `ED_${SUFFIX}`, `evt_${SUFFIX}`]) {
    expect(familyOfId(text)).toBeUndefined();
  }
});

it('has each family once, and a path without parameters for each that has no parent', () => {
  expect(new Set(families.map(({ prefix }) => prefix)).size).toBe(families.length);
  for (const family of families) expect(listPath(family, 'p_1')).not.toMatch(/[{}]/);
  expect(families.filter(({ parent }) => parent && !familyNamed(parent.family))).toEqual([]);
});

it('reads the parent of a resource from its address', () => {
  const route = familyNamed('https_edge_route');
  const uri = `https://waybill.example.com/x/edges/https/edghts_${SUFFIX}/routes/edghtsrt_${SUFFIX}`;
  expect(route && parentIn(uri, route)).toBe(`edghts_${SUFFIX}`);
  expect(route && parentIn('https://waybill.example.com/other', route)).toBeUndefined();
  const reference = { id: `edghtsrt_${SUFFIX}`, uri, family: 'https_edge_route', fields: ['edge_id'] };
  expect(readReference(reference)).toMatchObject({ parent: `edghts_${SUFFIX}`, fields: ['edge_id'] });
  expect(readReference({ ...reference, family: 'unknown' })).toBeNull();
});
