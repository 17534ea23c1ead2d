import type { EventType } from '@waybill/client';
import { expect, it } from 'vitest';
import { groupsOf, matchingTypes } from './type-groups.js';

const types: readonly EventType[] = [
  ['tunnel_created.v0', 'Sent when a tunnel was created.'],
  ['ip_policy_created.v0', 'Sent when an IP policy was created.'],
  ['ip_policy_rule_deleted.v0', 'Sent when a rule of an IP policy was deleted.'],
  ['ip_policy_deleted.v0', 'Sent when an IP policy was deleted.'],
  ['shop.user_created.v0', 'Published by the account.'],
].map(([type = '', description = '']) => ({ type, uri: `/event_types/${type}`, description, origin: 'built_in' }));

it('groups event types by their resource', () => {
  expect(groupsOf(types).map(({ name, types: some }) => [name, some.length])).toEqual([
    ['IP policy', 2],
    ['IP policy rule', 1],
    ['shop.user', 1],
    ['tunnel', 1],
  ]);
});

it.each([
  ['ip policy deleted', 2],
  ['RULE', 1],
  ['ip_policy_created', 1],
  ['shop.user', 1],
  ['', 5],
  ['nothing', 0],
])('finds the types with every word of "%s"', (text, count) => {
  expect(matchingTypes(types, text)).toHaveLength(count);
});
