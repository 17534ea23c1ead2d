import { expect, it } from 'vitest';
import { familyNamed, type Family } from '../../api/families.js';
import { referringFamilies, typesOf } from './referring-types.js';

const named = (name: string): Family => familyNamed(name) as Family;

const namesOf = (family: string): readonly string[] => referringFamilies(named(family)).map(({ name }) => name);

it('has the parts of a family, and the families that can refer to one', () => {
  expect(namesOf('ip_policy')).toContain('ip_policy_rule');
  expect(namesOf('ip_policy')).toContain('tcp_edge');
  expect(namesOf('https_edge')).toEqual(['https_edge_route']);
  expect(namesOf('bot_user')).toEqual(['api_key', 'endpoint', 'tunnel_session']);
});

it('has no family only because its name begins like another one', () => {
  expect(namesOf('endpoint')).not.toContain('endpoint_configuration');
  expect(namesOf('tunnel')).not.toContain('tunnel_session');
});

it('has their types of creation, change and deletion', () => {
  const types = ['ip_policy_created.v0', 'ip_policy_rule_created.v0', 'ip_policy_rule_snapshot.v0'].map((type) => ({
    type,
    uri: '',
    description: '',
    origin: 'built_in' as const,
  }));
  expect(typesOf([named('ip_policy_rule')], types)).toEqual({
    searched: ['ip_policy_rule_created.v0'],
    left: [],
  });
});

it('tells which types are too many for one search', () => {
  const types = Array.from({ length: 23 }, (_, version) => ({
    type: `ip_policy_rule_created.v${version}`,
    uri: '',
    description: '',
    origin: 'built_in' as const,
  }));
  const { searched, left } = typesOf([named('ip_policy_rule')], types);
  expect(searched).toHaveLength(20);
  expect(left).toEqual(['ip_policy_rule_created.v20', 'ip_policy_rule_created.v21', 'ip_policy_rule_created.v22']);
});
