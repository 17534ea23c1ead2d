import { expect, test } from 'vitest';
import { storeAddress } from './store-address.js';

test.each([
  ['postgres://me:hunter2@db.example.com:5433/waybill', 'postgres://db.example.com:5433/waybill'],
  ['postgres://me:hunter%2F2@[::1]/waybill?sslmode=require&password=hunter2', 'postgres://[::1]/waybill'],
  ['postgres://me:hunter2@/waybill?host=/run/postgresql', 'postgres:///waybill?host=/run/postgresql'],
  ['postgresql:///waybill?host=/run/postgresql&user=me', 'postgresql:///waybill?host=/run/postgresql'],
  ['rediss://:hunter2@cache.example.com:6380/2', 'rediss://cache.example.com:6380/2'],
  // A password that was written in the place of the user.
  ['redis://hunter2@localhost', 'redis://localhost'],
])('%s is shown without user and password', (url, shown) => {
  expect(storeAddress(url)).toBe(shown);
});
