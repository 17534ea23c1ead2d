import { describe, expect, it } from 'vitest';
import { suggestionsOf } from './suggestions.js';

const types = ['api_key_created.v0', 'ip_policy_created.v0', 'ip_policy_rule_created.v0'].map((type) => ({
  type,
  uri: '',
  description: '',
  origin: 'built_in' as const,
}));

const SUFFIX = '01jqz8y3s5e0kr6k4fvn0xw2ch';

const registered = { type: 'order_created.v0', uri: '', description: '', origin: 'registered' as const };

const bot = {
  id: `bot_${SUFFIX}`,
  name: 'deploy-helper',
  kind: 'bot user',
  filters: ['principal_id', 'object_id'] as const,
};

function of(text: string, more: readonly (typeof registered)[] = []): readonly string[] {
  return suggestionsOf(text, { types: [...types, ...more], named: [bot] }).map(
    ({ hint, label }) => `${hint}: ${label}`,
  );
}

describe('what a typed text may mean', () => {
  it('is a type that has all its words, those that begin with it first', () => {
    expect(of('policy created').slice(0, 2)).toEqual(['Type: ip_policy_created.v0', 'Type: ip_policy_rule_created.v0']);
    expect(of('ip_policy_rule')[0]).toBe('Type: ip_policy_rule_created.v0');
  });

  it('is something by its name, with the id as the value', () => {
    const found = suggestionsOf('Helper deploy', { types, named: [bot] });
    expect(found.map(({ hint, value }) => `${hint}: ${value}`)).toEqual([
      `Principal, bot user: ${bot.id}`,
      `Resource, bot user: ${bot.id}`,
      'Text in the payload: Helper deploy',
    ]);
    expect(of('resource: deploy')).toEqual(['Resource, bot user: deploy-helper']);
  });

  it('is nothing where a name is no id', () => {
    expect(of('database access')).toEqual(['Text in the payload: database access']);
    expect(of('key: deploy key')).toEqual([]);
    expect(of('cidr')).toEqual(['Text in the payload: cidr', 'Changed member: cidr']);
  });

  it('is an id that a publisher has chosen, where there is one', () => {
    expect(of('order-41', [registered])).toEqual([
      'Text in the payload: order-41',
      'Resource with exactly this id: order-41',
      'Principal with exactly this id: order-41',
      'Changed member: order-41',
    ]);
    expect(of('urn:order:41', [registered])[1]).toBe('Resource with exactly this id: urn:order:41');
  });

  it('is a guess where nothing has the text, unless the filter is named or the text is an id', () => {
    const guesses = (text: string) =>
      suggestionsOf(text, { types: [...types, registered], named: [bot] }).map(({ isGuess }) => isGuess === true);
    expect(guesses('office')).toEqual([false, true, true, true]);
    expect(guesses('deploy-helper')).toEqual([false, false, false, true, true, true]);
    expect(guesses('changed:office')).toEqual([false]);
    expect(guesses(`op_${SUFFIX}`)).not.toContain(true);
  });

  it('is the address of a request, or a text of the payload', () => {
    expect(of('192.0.2.1')).toEqual(['Address: 192.0.2.1', 'Text in the payload: 192.0.2.1']);
    expect(of('address: 2001:db8::1')).toEqual(['Address: 2001:db8::1']);
    expect(of('address: office')).toEqual([]);
    expect(of(`payload: ak_${SUFFIX}`)).toEqual([`Text in the payload: ak_${SUFFIX}`]);
  });

  it('is first what an id names', () => {
    expect(of(`op_${SUFFIX}`)[0]).toBe(`Operation: op_${SUFFIX}`);
    expect(of(` ak_${SUFFIX} `)[0]).toBe(`API key: ak_${SUFFIX}`);
    expect(of(`evt_${SUFFIX}`)).toEqual([`Open the event: evt_${SUFFIX}`]);
  });

  it('is the filter that is named before a colon', () => {
    expect(of('changed:cidr')).toEqual(['Changed member: cidr']);
    expect(of(`credential_id: ak_${SUFFIX}`)).toEqual([`API key: ak_${SUFFIX}`]);
    expect(of('type:rule')).toEqual(['Type: ip_policy_rule_created.v0']);
    expect(of('key:')).toEqual([]);
  });
});
