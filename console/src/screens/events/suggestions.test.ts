import { describe, expect, it } from 'vitest';
import { suggestionsOf } from './suggestions.js';

const types = ['api_key_created.v0', 'ip_policy_created.v0', 'ip_policy_rule_created.v0'].map((type) => ({
  type,
  uri: '',
  description: '',
  origin: 'built_in' as const,
}));

const SUFFIX = '01jqz8y3s5e0kr6k4fvn0xw2ch';

function of(text: string): readonly string[] {
  return suggestionsOf(text, types).map(({ hint, label }) => `${hint}: ${label}`);
}

describe('what a typed text may mean', () => {
  it('is a type that has all its words, those that begin with it first', () => {
    expect(of('policy created').slice(0, 2)).toEqual(['Type: ip_policy_created.v0', 'Type: ip_policy_rule_created.v0']);
    expect(of('ip_policy_rule')[0]).toBe('Type: ip_policy_rule_created.v0');
  });

  it('is any filter after the types', () => {
    expect(of('order-41')).toEqual([
      'Resource: order-41',
      'Principal: order-41',
      'API key: order-41',
      'Operation: order-41',
      'Changed member: order-41',
    ]);
  });

  it('is first what an id names', () => {
    expect(of(`op_${SUFFIX}`)[0]).toBe(`Operation: op_${SUFFIX}`);
    expect(of(` ak_${SUFFIX} `)[0]).toBe(`API key: ak_${SUFFIX}`);
    expect(of(`evt_${SUFFIX}`)).toEqual([`Open the event: evt_${SUFFIX}`]);
  });

  it('is the filter that is named before a colon', () => {
    expect(of('changed:cidr')).toEqual(['Changed member: cidr']);
    expect(of('credential_id: x')).toEqual(['API key: x']);
    expect(of('type:rule')).toEqual(['Type: ip_policy_rule_created.v0']);
    expect(of('key:')).toEqual([]);
  });

  it('may be an id with a colon of another system', () => {
    expect(of('urn:order:41')[0]).toBe('Resource: urn:order:41');
  });
});
