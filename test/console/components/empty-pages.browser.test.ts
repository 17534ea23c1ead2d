import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../browser/accessibility.js';
import { chromium } from '../browser/console-site.js';
import { openRecorded } from './recorded-console.js';
import { listOf } from './recorded-resources.js';

describe.skipIf(chromium === null)('an account that has nothing yet', () => {
  test.each([
    ['/', 'No destination yet'],
    ['/events', 'No event yet'],
    ['/events?object_id=none', 'No event matches'],
    ['/exports', 'No export yet'],
    ['/reconcile', 'No destination yet'],
    ['/resources/certificate_authority', 'No certificate authority yet'],
    ['/resources/https_edge_route', 'Choose the HTTPS edge first'],
    ['/resources/user', 'The API has no list of users'],
  ])('is told on %s what to do', async (path, title) => {
    const { page, complaints } = await openRecorded(path, {
      'GET /service': { version: '0.1.0', queue_backend: 'postgres', workers: [] },
      'GET /events': listOf('events'),
      'GET /event_types': listOf('event_types'),
      'GET /exports': listOf('exports'),
      'GET /certificate_authorities': listOf('certificate_authorities'),
    });
    await page.getByRole('heading', { name: title }).waitFor();
    // The others have the same parts.
    if (path === '/' || path === '/resources/https_edge_route') await expectAccessible(page);
    expect(complaints).toEqual([]);
  });
});

test.skipIf(chromium === null)('an address without a page keeps the navigation, which leads on', async () => {
  const { page, complaints } = await openRecorded('/nowhere/else', { 'GET /exports': listOf('exports') });
  await page.getByRole('heading', { name: 'No such page' }).waitFor();
  await page.getByRole('navigation', { name: 'Console' }).getByRole('link', { name: 'Exports' }).click();
  await page.getByRole('heading', { name: 'No export yet' }).waitFor();
  expect(complaints).toEqual([]);
});
