import { expect, it } from 'vitest';
import { accessesOf, keyRoles, mayGrant, routeAccesses, rolesWith, toKeyRole } from './key-role.js';

it('a key grants its own role, and those that may do less', () => {
  const granted = Object.fromEntries(
    keyRoles.map((maker) => [maker, keyRoles.filter((role) => mayGrant(maker, role))]),
  );
  expect(granted).toEqual({
    admin: ['admin', 'operator', 'auditor', 'publisher'],
    operator: ['operator', 'auditor'],
    auditor: ['auditor'],
    publisher: ['publisher'],
  });
});

it('an admin key may call every route, and each role may call some', () => {
  const lists: readonly (readonly string[])[] = Object.values(rolesWith);
  expect(lists.filter((roles) => !roles.includes('admin'))).toEqual([]);
  expect(keyRoles.filter((role) => !lists.some((roles) => roles.includes(role)))).toEqual([]);
});

it('each role has what its lists say, and every access is among those that are shown', () => {
  expect(Object.keys(rolesWith).toSorted()).toEqual(routeAccesses.toSorted());
  expect(Object.fromEntries(keyRoles.map((role) => [role, accessesOf(role)]))).toEqual({
    admin: routeAccesses,
    operator: ['self', 'read', 'export', 'operate'],
    auditor: ['self', 'read', 'export'],
    publisher: ['self', 'publish'],
  });
});

it('a role of a later release is no role', () => {
  expect(keyRoles.map(toKeyRole)).toEqual(keyRoles);
  expect(['root', '', null, undefined, 'toString'].map(toKeyRole)).toEqual([null, null, null, null, null]);
});
