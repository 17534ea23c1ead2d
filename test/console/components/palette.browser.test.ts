import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../browser/accessibility.js';
import { chromium } from '../browser/console-site.js';
import { holdRequests } from '../browser/held-request.js';
import { openRecorded, type Responses } from './recorded-console.js';
import { listOf, statusOf } from './recorded-resources.js';

const beta = statusOf(2, { description: 'Beta' });
const responses: Responses = {
  'GET /event_destinations/status': listOf('statuses', [statusOf(1, { description: 'Alpha' }), beta]),
  'GET /event_destinations/metrics': { destinations: [] },
  'GET /event_subscriptions': listOf('event_subscriptions'),
  'GET /service': { version: '0.1.0', queue_backend: 'postgres', workers: [] },
  [`PATCH /event_destinations/${beta.id}`]: { id: beta.id },
};

describe.skipIf(chromium === null)('the palette', () => {
  test('pauses a destination that is named after the verb', async () => {
    const { page, changes } = await openRecorded('/', responses);
    await page.getByText('2 shown').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Page or command' }).waitFor();
    await page.keyboard.type('pause bet');
    await page.getByRole('option', { name: 'Pause Beta' }).click();
    await page.getByLabel('Reason').fill('The index is rebuilt.');
    await page.keyboard.press('Enter');
    await page.getByText('1 of 1 destination paused.').waitFor();
    const body = { paused: { reason: 'The index is rebuilt.' } };
    expect(changes).toEqual([{ operation: `PATCH /event_destinations/${beta.id}`, body }]);
  });

  test('has what was typed before it was loaded', async () => {
    const { page } = await openRecorded('/', responses);
    await page.getByText('2 shown').waitFor();
    const code = await holdRequests(page, 'GET', /\/palette-[^/]*\.js$/);
    await page.reload();
    await page.getByText('2 shown').waitFor();
    await page.keyboard.press('Control+k');
    await page.keyboard.type('pause ');
    await code.sent;
    code.release();
    await page.getByRole('searchbox', { name: 'Page or command' }).waitFor();
    await page.keyboard.type('bet');
    await page.getByRole('option', { name: 'Pause Beta' }).waitFor();
    expect(await page.getByRole('searchbox', { name: 'Page or command' }).inputValue()).toBe('pause bet');
  });

  test('leads from any text to the events whose payloads have it', async () => {
    const { page } = await openRecorded('/', { ...responses, 'GET /events': listOf('events') });
    await page.getByText('2 shown').waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Page or command' }).fill('former office');
    await page.getByRole('option', { name: /^Search the events for “former office”/ }).click();
    await page.waitForURL((url) => url.pathname.endsWith('/events'));
    expect(new URL(page.url()).search).toBe('?text=former+office');
  });

  test('the key ? lists the keys, and Escape returns to the page', async () => {
    const { page } = await openRecorded('/', responses);
    await page.getByText('2 shown').waitFor();
    await page.keyboard.press('?');
    const dialog = page.getByRole('dialog', { name: 'Keys' });
    await dialog.getByText('Select the row').waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
});
