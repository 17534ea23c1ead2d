import { expect, it } from 'vitest';
import { filterOfId, idPrefix } from './event-filter.js';

const SUFFIX = '01jqz8y3s5e0kr6k4fvn0xw2ch';

it('knows what an id names', () => {
  expect(filterOfId(`op_${SUFFIX}`)).toBe('operation_id');
  expect(filterOfId(`ak_${SUFFIX}`)).toBe('credential_id');
  expect(filterOfId(`bot_${SUFFIX}`)).toBe('principal_id');
  expect(filterOfId(`ipp_${SUFFIX}`)).toBe('object_id');
});

it('takes no other text for an id', () => {
  expect(idPrefix('order-41')).toBeNull();
  expect(idPrefix(`evt_${SUFFIX}x`)).toBeNull();
  expect(filterOfId('evt_')).toBeNull();
});
