import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../browser/accessibility.js';
import { chromium } from '../browser/console-site.js';
import { openRecorded, type Responses } from './recorded-console.js';
import { listOf, statusOf, undeliveredOf } from './recorded-resources.js';

const error = { code: 'AccessDenied', message: 'The target denies access.', at: '2026-11-20T08:00:00.000Z' };
const statuses = [
  statusOf(1, { description: 'Alpha' }),
  statusOf(2, { description: 'Beta' }),
  statusOf(3, { description: 'Gamma', status: 'misconfigured', last_error: error }),
];
const lost = undeliveredOf(2, {
  rejected: 12,
  expired: 3,
  reasons: [
    { state: 'rejected', code: 'Malformed', message: 'The record was refused.', count: 12 },
    { state: 'expired', code: 'AccessDenied', message: 'The target denied access.', count: 3 },
  ],
});

const responses: Responses = {
  'GET /event_destinations/status': listOf('statuses', statuses),
  'GET /event_destinations/metrics': { destinations: [] },
  'GET /event_destinations/deliveries/counts': listOf('counts', [lost]),
  'GET /event_subscriptions': listOf('event_subscriptions'),
  'GET /service': { version: '0.1.0', queue_backend: 'postgres', workers: [] },
};

/** Returns the names of the destinations that are shown, in order. */
async function shown(page: Page, count: number): Promise<readonly (string | undefined)[]> {
  await page.getByText(count === statuses.length ? `${count} shown` : `${count} of ${statuses.length} shown`).waitFor();
  const rows = await page.getByRole('grid', { name: 'Destinations' }).locator('[data-index]').allTextContents();
  return rows.map((row) => /Alpha|Beta|Gamma/.exec(row)?.[0]);
}

describe.skipIf(chromium === null)('the overview', () => {
  test('says at a healthy destination how many events it did not receive, and why', async () => {
    const { page, complaints } = await openRecorded('/', responses);
    const row = page.getByRole('row', { name: /Beta/ });
    const link = row.getByRole('link', { name: '12 rejected, 3 expired' });
    await link.waitFor();
    expect(await row.textContent()).toContain('The record was refused.');
    expect(await row.textContent()).not.toContain('nothing');
    expect(await shown(page, 3)).toEqual(['Gamma', 'Beta', 'Alpha']);
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    expect(await link.getAttribute('href')).toBe(`/console/not-delivered?destination_id=${lost.id}`);
  });

  test('filters by what was not delivered and by cause, in an address that can be passed on', async () => {
    const { page } = await openRecorded('/', responses);
    await page.getByRole('button', { name: 'Rejected or expired 1' }).click();
    expect(await shown(page, 1)).toEqual(['Beta']);
    await page.getByRole('button', { name: 'Rejected or expired 1' }).click();
    await page.getByRole('group', { name: 'Causes' }).getByRole('button', { name: 'AccessDenied 2' }).click();
    expect(await shown(page, 2)).toEqual(['Gamma', 'Beta']);
    await page.reload();
    expect(await shown(page, 2)).toEqual(['Gamma', 'Beta']);
    await page.getByRole('button', { name: 'Malformed 1' }).click();
    expect(await shown(page, 1)).toEqual(['Beta']);
  });
});
