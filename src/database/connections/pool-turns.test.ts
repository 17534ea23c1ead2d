import { expect, it } from 'vitest';
import { poolTurns } from './pool-turns.js';

const KEY = 'data_plane_key_0123456789abcdef';
const gateways = [
  { DATA_PLANE_KEY: undefined, DATA_PLANE_CONFIG_KEY: undefined },
  { DATA_PLANE_KEY: KEY, DATA_PLANE_CONFIG_KEY: undefined },
  { DATA_PLANE_KEY: undefined, DATA_PLANE_CONFIG_KEY: KEY },
  { DATA_PLANE_KEY: KEY, DATA_PLANE_CONFIG_KEY: KEY },
];

it.each(gateways)('the turns of all requests leave an eighth of the pool, and one connection, with %o', (keys) => {
  for (let size = 6; size <= 200; size += 1) {
    const { usual, costly, works, renewals } = poolTurns({ ...keys, DATABASE_POOL_SIZE: size });
    const left = size - usual - costly - works - renewals;
    expect(left, `of ${size}`).toBeGreaterThanOrEqual(Math.max(1, Math.floor(size / 8)));
  }
});

it('the default pool has the turns that the documentation states', () => {
  const [alone, served] = [gateways[0], gateways[3]].map(
    (keys) => keys && poolTurns({ ...keys, DATABASE_POOL_SIZE: 32 }),
  );
  expect(alone).toEqual({ usual: 22, costly: 5, works: 0, renewals: 0 });
  expect(served).toEqual({ usual: 15, costly: 3, works: 3, renewals: 4 });
});
