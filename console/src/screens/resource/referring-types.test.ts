import { expect, it } from 'vitest';
import { familyNamed, type Family } from '../../api/families.js';
import { referringFamilies, typesOf } from './referring-types.js';

const named = (name: string): Family => familyNamed(name) as Family;

it('has the parts of a family, and the families that refer to one now', () => {
  const found = referringFamilies(named('ip_policy'), [named('tcp_edge'), named('ip_policy_rule')]);
  expect(found.map(({ name }) => name)).toEqual(['ip_policy_rule', 'tcp_edge']);
  expect(referringFamilies(named('https_edge'), []).map(({ name }) => name)).toEqual(['https_edge_route']);
  expect(referringFamilies(named('bot_user'), [])).toEqual([]);
});

it('has their types of creation, change and deletion', () => {
  const types = ['ip_policy_created.v0', 'ip_policy_rule_created.v0', 'ip_policy_rule_snapshot.v0'].map((type) => ({
    type,
    uri: '',
    description: '',
    origin: 'built_in' as const,
  }));
  expect(typesOf([named('ip_policy_rule')], types)).toEqual(['ip_policy_rule_created.v0']);
});
