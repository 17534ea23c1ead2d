import { expect, it } from 'vitest';
import { idAfter } from './deliveries.js';

it('names the id after that of a delivery', () => {
  expect(idAfter('dlv_9')).toBe('dlv_10');
  expect(idAfter('dlv_99999999999999')).toBe('dlv_100000000000000');
});

it.each(['', 'dlv_', 'dlv_0', 'dlv_01', 'dlv_-1', 'dlv_1.5', 'dlv_100000000000000', 'evt_1', 'xdlv_1'])(
  'finds no id of a delivery in "%s"',
  (text) => {
    expect(idAfter(text)).toBeNull();
  },
);
