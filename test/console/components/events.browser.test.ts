import { describe, expect, test } from 'vitest';
import { chromium } from '../browser/console-site.js';
import { openRecorded, type Responses } from './recorded-console.js';
import { eventOf, listOf } from './recorded-resources.js';

const types = ['ip_policy_created.v0', 'order_created.v0'].map((type) => ({
  type,
  uri: '',
  description: '',
  origin: type.startsWith('order') ? 'registered' : 'built_in',
}));

const responses: Responses = {
  'GET /events': listOf('events', [eventOf(1)]),
  'GET /event_types': { event_types: types, uri: '', next_page_uri: null },
};

describe.skipIf(chromium === null)('the search of events', () => {
  test('selects nothing by itself that the text does not match', async () => {
    const { page } = await openRecorded('/events', responses);
    await page.getByText('all that match').waitFor();
    const field = page.getByRole('combobox', { name: 'Add a filter' });
    const guess = page.getByRole('option', { name: 'office Changed member' });
    await field.fill('office');
    await guess.waitFor();
    expect(await page.getByRole('listbox').getByRole('option', { selected: true }).count()).toBe(0);
    await field.press('Enter');
    expect(new URL(page.url()).search).toBe('');
    await field.press('ArrowUp');
    await field.press('Enter');
    await page.waitForURL((url) => url.search === '?changed=office');

    await field.fill('order');
    await page.getByRole('option', { selected: true, name: /order_created/ }).waitFor();
    await field.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('type') === 'order_created.v0');
  });

  test('applies a time when it is complete, and says the order of its date', async () => {
    const { page } = await openRecorded('/events', responses);
    await page.getByRole('combobox', { name: 'Time' }).selectOption('range');
    await page.getByLabel('To (local time) month/day/year').fill('2026-11-20T09:00');
    await page.waitForURL((url) => url.searchParams.get('to') !== null);
    const at = new URL(page.url()).searchParams.get('to') ?? '';
    expect(new Date(at).toISOString()).toBe(new Date('2026-11-20T09:00').toISOString());
  });
});
