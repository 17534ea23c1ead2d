import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { SignInThrottle } from './sign-in-throttle.js';

const MINUTE = 60_000;
let throttle: SignInThrottle;

beforeEach(() => {
  vi.useFakeTimers();
  throttle = new SignInThrottle();
});
afterEach(() => {
  vi.useRealTimers();
});

function exhaust(ip: string): void {
  for (let attempt = 1; attempt <= 10; attempt += 1) throttle.take(ip);
}

test('the eleventh attempt from an address waits for the rest of the window', () => {
  for (let attempt = 1; attempt <= 10; attempt += 1) expect(throttle.take('192.0.2.1')).toBe(0);
  vi.advanceTimersByTime(4 * MINUTE);
  expect(throttle.take('192.0.2.1')).toBe(6 * 60);
});

test('attempts during the wait do not extend it', () => {
  exhaust('192.0.2.1');
  vi.advanceTimersByTime(9 * MINUTE);
  throttle.take('192.0.2.1');
  vi.advanceTimersByTime(MINUTE + 1000);
  expect(throttle.take('192.0.2.1')).toBe(0);
});

test('addresses are limited separately', () => {
  exhaust('192.0.2.1');
  expect(throttle.take('192.0.2.2')).toBe(0);
});

test('the addresses of one IPv6 /64 network count together', () => {
  exhaust('2001:db8:0:1::1');
  expect(throttle.take('2001:db8:0:1:ffff::2')).toBeGreaterThan(0);
  expect(throttle.take('2001:db8:0:2::1')).toBe(0);
});

test('an IPv4 address mapped into IPv6 counts as the IPv4 address', () => {
  exhaust('::ffff:192.0.2.1');
  expect(throttle.take('192.0.2.1')).toBeGreaterThan(0);
  expect(throttle.take('::ffff:192.0.2.2')).toBe(0);
});

test('a success does not count, and clears none of the failures', () => {
  for (let attempt = 1; attempt <= 9; attempt += 1) throttle.take('192.0.2.1');
  for (let success = 1; success <= 20; success += 1) {
    expect(throttle.take('192.0.2.1')).toBe(0);
    throttle.giveBack('192.0.2.1');
  }
  expect(throttle.take('192.0.2.1')).toBe(0);
  expect(throttle.take('192.0.2.1')).toBeGreaterThan(0);
});
