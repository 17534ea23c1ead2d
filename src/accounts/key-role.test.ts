import { expect, it } from 'vitest';
import { keyRoles, mayGrant, toKeyRole } from './key-role.js';

it('a key grants its own role, and only an admin key grants the role admin', () => {
  for (const role of keyRoles) expect(mayGrant(role, role)).toBe(true);
  expect(keyRoles.filter((maker) => mayGrant(maker, 'admin'))).toEqual(['admin']);
});

it('a role of a later release is no role', () => {
  expect(keyRoles.map(toKeyRole)).toEqual(keyRoles);
  expect(['auditor', '', null, undefined, 'toString'].map(toKeyRole)).toEqual([null, null, null, null, null]);
});
