import { expect, test } from 'vitest';
import { pageAfterSignIn } from './next-page.js';

test.each([
  '/console',
  '/console/events?type=a.v0#top',
  '/console?q=//host',
  '/dashboard',
  '/dashboard/queue/log_group?status=failed',
])('leads to %s', (next) => {
  expect(pageAfterSignIn(next)).toBe(next);
});

test.each([
  undefined,
  '',
  '/',
  '/docs',
  '/dashboards',
  '/dashboard.example',
  '/dashboard@host.example',
  'dashboard',
  '//host.example/dashboard',
  '///host.example/dashboard',
  '/\\host.example/dashboard',
  '\\\\host.example\\dashboard',
  '/\t/host.example/dashboard',
  '/\n/host.example/dashboard',
  '\n//host.example/dashboard',
  ' //host.example/dashboard',
  '/dashboard\\..\\..\\host.example',
  '/dashboard/\\host.example',
  '/dashboard/\r\n',
  '/dashboard\n',
  '/dashboard/\u0000',
  'https://host.example/dashboard',
  'javascript:/dashboard',
])('leads to the console instead of %j', (next) => {
  expect(pageAfterSignIn(next)).toBe('/console/');
});

test.each(['/dashboard/..//host.example', '/dashboard/../../@host.example', '/console/%5c%2fhost.example'])(
  'stays at this origin: %s',
  (next) => {
    expect(new URL(pageAfterSignIn(next), 'https://waybill.example').origin).toBe('https://waybill.example');
  },
);
