import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Created } from '../../support/api-client.js';
import { expectAccessible } from './accessibility.js';
import { chromium, ConsoleSite } from './console-site.js';
import { pressByKey, tabTo } from './keyboard.js';

describe.skipIf(chromium === null)('the search of events', () => {
  let site: ConsoleSite;
  let policies: readonly Created[];
  beforeAll(async () => {
    site = await ConsoleSite.open();
    const { admin } = site.events.api;
    policies = [
      await admin.create('/ip_policies', { description: 'Berlin' }),
      await admin.create('/ip_policies', { description: 'Paris' }),
    ];
    await admin.patch(berlin().path, { description: 'Berlin, Mitte' });
    await admin.patch(berlin().path, { metadata: 'x' });
  });
  afterAll(() => site.close());

  const berlin = (): Created => policies[0] as Created;
  const paris = (): Created => policies[1] as Created;

  const field = (page: Page) => page.getByRole('combobox', { name: 'Add a filter' });
  const searchOf = (page: Page) => new URL(page.url()).search;

  /** Returns the texts of the rows, in order, when there are so many. */
  async function rowsOf(page: Page, count: number): Promise<readonly string[]> {
    await page.getByText(`${count} ${count === 1 ? 'event' : 'events'}, all that match`, { exact: true }).waitFor();
    return page.getByRole('grid', { name: 'Events' }).locator('[data-index]').allTextContents();
  }

  test('has the newest event first, with the resource, what changed, who and from where', async () => {
    const page = await site.page({ role: 'auditor', path: `/events?object_id=${berlin().id}` });
    const rows = await rowsOf(page, 3);
    expect(rows.map((row) => /ip_policy_\w+\.v0/.exec(row)?.[0])).toEqual([
      'ip_policy_updated.v0',
      'ip_policy_updated.v0',
      'ip_policy_created.v0',
    ]);
    expect(rows[0]).toContain('changed metadata');
    expect(rows[1]).toContain('changed description');
    expect(rows[0]).toContain(berlin().id);
    expect(rows[0]).toMatch(/from (127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)/);
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('is filtered by keyboard alone: slash, a few letters, arrows, Enter', async () => {
    const page = await site.page({ path: '/events' });
    await page.getByText('all that match').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('policy updated');
    await page.getByRole('option', { name: /^ip_policy_updated\.v0/ }).waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Enter');
    expect(await rowsOf(page, 2)).toHaveLength(2);
    expect(searchOf(page)).toBe('?type=ip_policy_updated.v0');

    await page.keyboard.type('changed:metadata');
    await page.keyboard.press('Enter');
    await rowsOf(page, 1);
    expect(searchOf(page)).toBe('?type=ip_policy_updated.v0&changed=metadata');

    await page.keyboard.press('Backspace');
    await rowsOf(page, 2);
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate("document.activeElement?.getAttribute('aria-rowindex')")).toBe('2');
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('takes an id for the filter that it names', async () => {
    const page = await site.page({ path: '/events' });
    await page.getByText('all that match').waitFor();
    await field(page).fill(paris().id);
    const options = page.getByRole('listbox').getByRole('option');
    await options.last().waitFor();
    expect(await options.allTextContents()).toEqual([`${paris().id}Resource`]);
    await options.first().click();
    await rowsOf(page, 1);
    expect(searchOf(page)).toBe(`?object_id=${paris().id}`);
  });

  test('finds events by the description of an API key, and refuses a name that no list has', async () => {
    const { admin } = site.events.api;
    const key = await admin.create('/api_keys', { role: 'auditor', description: 'deploy-helper' });
    const page = await site.page({ path: '/events' });
    await page.getByText('all that match').waitFor();
    await field(page).fill('deploy helper');
    await page.getByRole('option', { name: `deploy-helper ${key.id} Resource, API key` }).click();
    const rows = await rowsOf(page, 1);
    expect(rows[0]).toContain('api_key_created.v0');
    expect(searchOf(page)).toBe(`?object_id=${key.id}`);

    await field(page).fill('key: no such name');
    await page.getByText('No existing resource in these lists has this name.').waitFor();
    expect(await page.getByRole('listbox').getByRole('option').count()).toBe(0);
    await field(page).press('Enter');
    expect(searchOf(page)).toBe(`?object_id=${key.id}`);
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('finds the events of a deleted resource by its former name, and those of an address', async () => {
    const { admin } = site.events.api;
    const policy = await admin.create('/ip_policies', { description: 'Former office' });
    await admin.patch(policy.path, { description: 'Branch' });
    await admin.delete(policy.path);
    const page = await site.page({ path: '/events' });
    await page.getByText('all that match').waitFor();
    await field(page).fill('former OFFICE');
    await page.getByRole('option', { name: 'former OFFICE Text in the payload' }).waitFor();
    await field(page).press('Enter');
    expect((await rowsOf(page, 2)).map((row) => /ip_policy_\w+/.exec(row)?.[0])).toEqual([
      'ip_policy_updated',
      'ip_policy_created',
    ]);
    await field(page).fill('192.0.2.200');
    await field(page).press('Enter');
    await page.getByText('No event matches').waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('says that a filter compares ids where an address has a name', async () => {
    const page = await site.page({ path: '/events?principal_id=deploy-helper' });
    await page.getByText('“deploy-helper” is no id of Waybill.').waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('opens an event, goes to the next one and back to the same search', async () => {
    const path = `/events?type=ip_policy_updated.v0&object_id=${berlin().id}`;
    const page = await site.page({ path });
    await rowsOf(page, 2);
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'ip_policy_updated.v0' }).waitFor();
    const first = new URL(page.url()).pathname;
    await page.getByRole('link', { name: 'Next event' }).waitFor();
    await page.keyboard.press('j');
    await page.waitForURL((url) => url.pathname !== first);
    await page.getByRole('link', { name: 'Previous event' }).waitFor();
    expect(await page.getByRole('link', { name: 'Next event' }).count()).toBe(0);
    await page.keyboard.press('k');
    await page.waitForURL((url) => url.pathname === first);
    await page.getByRole('link', { name: 'Back to the search' }).click();
    await rowsOf(page, 2);
    expect(searchOf(page)).toBe(path.replace('/events', ''));
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('shows the same to everyone who has the address, and removes one filter after another', async () => {
    const path = `/events?type=ip_policy_created.v0&object_id=${paris().id}&order=oldest_first`;
    const page = await site.page({ path });
    expect(await rowsOf(page, 1)).toHaveLength(1);
    await page.getByRole('button', { name: 'Remove the filter Type ip_policy_created.v0' }).click();
    await page.waitForURL((url) => !url.searchParams.has('type'));
    await page.getByRole('button', { name: 'Clear all filters' }).click();
    await page.waitForURL((url) => !url.searchParams.has('object_id'));
    expect(searchOf(page)).toBe('?order=oldest_first');
    await page
      .getByRole('row', { name: new RegExp(berlin().id) })
      .first()
      .waitFor();
    const rows = await page.getByRole('grid', { name: 'Events' }).locator('[data-index]').allTextContents();
    expect(rows.findIndex((row) => row.includes(berlin().id))).toBeLessThan(
      rows.findIndex((row) => row.includes(paris().id)),
    );
  });

  test('is limited to a time: a period, or a range in UTC', async () => {
    const page = await site.page({ path: `/events?object_id=${berlin().id}` });
    await rowsOf(page, 3);
    await page.getByRole('combobox', { name: 'Time', exact: true }).selectOption('Last hour');
    await page.waitForURL((url) => url.searchParams.get('last') === '1h');
    await rowsOf(page, 3);

    await page.getByRole('button', { name: /account menu$/ }).click();
    await page.getByRole('menuitemradio', { name: 'UTC' }).click();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'Time', exact: true }).selectOption('From and to');
    await page.getByLabel('From (UTC)').fill('2020-01-01T00:00:01');
    await page.getByLabel('To (UTC)').fill('2020-01-02T00:00:01');
    await page.getByLabel('To (UTC)').press('Enter');
    await page.getByText('No event matches').waitFor();
    expect(new URL(page.url()).searchParams.get('to')).toBe('2020-01-02T00:00:01.000Z');

    await page.getByLabel('To (UTC)').fill('2019-01-01T00:00:01');
    await page.getByLabel('To (UTC)').press('Enter');
    expect(await page.getByRole('alert').textContent()).toContain('must be later than from');
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('keeps views in the browser: saved, chosen from the palette, deleted', async () => {
    const page = await site.page({ path: `/events?object_id=${paris().id}` });
    await rowsOf(page, 1);
    await page.getByRole('button', { name: 'Save this view' }).click();
    await page.getByLabel('Name of the view').fill('Paris only');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'Paris only' }).waitFor();

    await page.goto(`${site.url}/`);
    await page.getByRole('navigation', { name: 'Console' }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Page or command' }).waitFor();
    await page.keyboard.type('paris o');
    await page.getByRole('option', { name: /^Paris only/ }).click();
    await rowsOf(page, 1);
    expect(searchOf(page)).toBe(`?object_id=${paris().id}`);

    await page.getByRole('button', { name: 'Delete the view Paris only' }).click();
    await page.getByRole('link', { name: 'Paris only' }).waitFor({ state: 'detached' });
    await page.reload();
    await rowsOf(page, 1);
    expect(await page.getByRole('link', { name: 'Paris only' }).count()).toBe(0);
  });

  test('the palette leads to the events of an id', async () => {
    const page = await site.page();
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Page or command' }).waitFor();
    await page.keyboard.type(paris().id);
    await page.getByRole('option', { name: `Events of ${paris().id}` }).click();
    expect(await rowsOf(page, 1)).toEqual([expect.stringContaining(paris().id)]);
  });

  test('says that newer events came, and shows them when it is asked to', async () => {
    const page = await site.page({ path: '/events?type=bot_user_created.v0' });
    await page.clock.install();
    await page.reload();
    await page.getByText('No event matches').waitFor();
    await site.events.api.admin.create('/bot_users', { name: 'first' });
    await page.getByRole('button', { name: 'Search again' }).click();
    await rowsOf(page, 1);
    await site.events.api.admin.create('/bot_users', { name: 'second' });
    await page.clock.fastForward(10_000);
    await page.getByText('1 new event').waitFor();
    await page.getByRole('button', { name: 'Show above' }).click();
    expect(await rowsOf(page, 2)).toHaveLength(2);
  });

  test('is saved, ordered, limited in time and exported by keyboard alone', async () => {
    const page = await site.page({ path: `/events?object_id=${berlin().id}` });
    await rowsOf(page, 3);
    await tabTo(page, page.getByRole('combobox', { name: 'Order' }));
    // One letter: a browser takes a letter that is typed late for the first one.
    await page.keyboard.press('o');
    await page.waitForURL((url) => url.searchParams.get('order') === 'oldest_first');
    await tabTo(page, page.getByRole('combobox', { name: 'Time', exact: true }));
    await page.keyboard.press('l');
    await page.waitForURL((url) => url.searchParams.get('last') === '1h');
    expect((await rowsOf(page, 3))[0]).toContain('ip_policy_created.v0');

    await pressByKey(page, page.getByRole('button', { name: 'Save this view' }));
    await page.keyboard.type('Berlin by key');
    await page.keyboard.press('Enter');
    const view = page.getByRole('link', { name: 'Berlin by key' });
    await view.waitFor();
    await pressByKey(page, page.getByRole('button', { name: `Remove the filter Resource ${berlin().id}` }));
    await page.waitForURL((url) => !url.searchParams.has('object_id'));
    await pressByKey(page, view);
    await page.waitForURL((url) => url.searchParams.get('object_id') === berlin().id);
    await rowsOf(page, 3);

    await pressByKey(page, page.getByRole('button', { name: 'Export', exact: true }));
    const dialog = page.getByRole('dialog', { name: 'Export events to a file' });
    await tabTo(page, dialog.getByRole('radio', { name: /^NDJSON/ }));
    await page.keyboard.press('ArrowDown');
    await pressByKey(page, dialog.getByRole('button', { name: 'Export' }));
    await dialog.getByText('Completed').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      pressByKey(page, dialog.getByRole('button', { name: /^Download/ })),
    ]);
    expect(file.suggestedFilename()).toMatch(/\.csv$/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await pressByKey(page, page.getByRole('button', { name: 'Delete the view Berlin by key' }));
    await view.waitFor({ state: 'detached' });
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('is reached from the palette, ordered and left for an event by mouse alone', async () => {
    const page = await site.page();
    await page.getByRole('button', { name: 'Jump to' }).click();
    await page.getByRole('option', { name: 'Events' }).click();
    await page.getByRole('combobox', { name: 'Order' }).selectOption('Oldest first');
    await page.waitForURL((url) => url.searchParams.get('order') === 'oldest_first');
    const row = page.getByRole('grid', { name: 'Events' }).locator('[data-index="0"]');
    const [type] = /\w+\.v0/.exec((await row.textContent()) ?? '') ?? [];
    // Beside the links of the row.
    await row.click({ position: { x: 4, y: 4 } });
    await page.getByRole('heading', { level: 1, name: type ?? 'none', exact: true }).waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });
});
