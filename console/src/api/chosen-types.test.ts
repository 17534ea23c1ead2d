import { describe, expect, it } from 'vitest';
import { chosenOf, missingInTypes, sourcesOf, toggled, withChecked, withFilter, withTypes } from './chosen-types.js';

const TYPE = 'ip_policy_created.v0';

it('removes a type that is chosen again', () => {
  expect(toggled(toggled([], 'a.v0'), 'a.v0')).toEqual([]);
});

it('adds several types, and keeps the filters of those that are chosen', () => {
  const types = withTypes(withFilter(toggled([], 'a.v0'), 'a.v0', 'true'), ['a.v0', 'b.v0']);
  expect(sourcesOf(types)).toEqual([{ type: 'a.v0', filter: 'true' }, { type: 'b.v0' }]);
});

it('keeps the fields of a stored source, and takes its filter as checked', () => {
  const source = { type: TYPE, uri: '/event_sources/1', filter: 'true', fields: { hash: ['/principal'] } };
  const types = chosenOf([source]);
  expect(missingInTypes(types)).toEqual([]);
  expect(sourcesOf(types)).toEqual([{ type: TYPE, filter: 'true', fields: { hash: ['/principal'] } }]);
  expect(sourcesOf(withFilter(types, TYPE, ' '))).toEqual([{ type: TYPE, fields: { hash: ['/principal'] } }]);
});

describe('what is missing in a choice', () => {
  it('is a type', () => {
    expect(missingInTypes([])).toEqual(['No event type is chosen.']);
  });

  it('is a preview of each filter', () => {
    const unchecked = withFilter(toggled([], TYPE), TYPE, 'object.action == "deny"');
    expect(missingInTypes(unchecked)).toEqual([`The filter of ${TYPE} is not checked: press “Preview ${TYPE}”.`]);
    const checked = withChecked(unchecked, TYPE, 'object.action == "deny"');
    expect(missingInTypes(checked)).toEqual([]);
    expect(withChecked(unchecked, TYPE, 'another')).toEqual(unchecked);
    expect(withFilter(checked, TYPE, 'another')[0]?.isChecked).toBe(false);
  });
});
