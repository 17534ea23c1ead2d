import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../../delivery/support/pipeline.js';
import type { Created } from '../../support/api-client.js';
import { expectAccessible } from './accessibility.js';
import { chromium, ConsoleSite } from './console-site.js';
import { pressByKey, tabTo } from './keyboard.js';
import { expireOne, rejectOne } from './undelivered.js';

describe.skipIf(chromium === null)('what was not delivered', () => {
  let site: ConsoleSite;
  let alpha: Created & { readonly arn: string };
  let beta: Created & { readonly arn: string };
  beforeAll(async () => {
    site = await ConsoleSite.open();
    const { events } = site;
    [alpha, beta] = [await events.destination(), await events.destination()];
    await events.api.admin.patch(alpha.path, { description: 'Alpha' });
    await events.api.admin.patch(beta.path, { description: 'Beta' });
    await events.publish(1);
    for (const { path } of [alpha, beta]) await events.ended(path, 'delivered', 1);
  });
  afterAll(() => site.close());

  const rows = (page: Page) => page.getByRole('grid', { name: 'Not delivered' }).locator('[data-index]');

  async function expectRows(page: Page, count: number): Promise<void> {
    await page.getByText(`${count} ${count === 1 ? 'delivery' : 'deliveries'}, all that match`).waitFor();
    expect(await rows(page).count()).toBe(count);
  }

  test('an empty list says what that means, since when, and where waiting events are', async () => {
    const { pool } = site.events.api.store;
    const page = await site.page({ role: 'auditor', path: '/not-delivered' });
    await page.getByRole('heading', { name: 'Every event that has ended was delivered' }).waitFor();
    expect(await page.getByText('Complete since').count()).toBe(0);
    await pool.query(`update accounts set created_at = '2020-01-01T00:00:00Z'`);
    await pool.query(
      `insert into retention_marks (kind, complete_since) values ('deliveries', '2026-02-03T04:05:06Z')`,
    );
    await page.reload();
    await page.getByText(/Complete since .*2026/).waitFor();
    await expectAccessible(page);
    await pool.query('delete from retention_marks');
    await page.getByRole('link', { name: 'Events that wait, on the overview' }).click();
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });

  describe('after a rejected and an expired delivery', () => {
    beforeAll(async () => {
      await rejectOne(site.events, alpha, 2);
      await site.events.ended(beta.path, 'delivered', 3);
      await expireOne(site.events, beta);
      await site.events.ended(alpha.path, 'delivered', 3);
    });

    test('the overview has their number, and the list has why each was not delivered', async () => {
      const page = await site.page({ role: 'auditor' });
      const fact = page.getByRole('term').filter({ hasText: 'Not delivered' });
      await fact.locator('..').getByText('2', { exact: true }).waitFor();
      await fact.getByRole('link').click();
      await expectRows(page, 2);
      const [expired, rejected] = await rows(page).allTextContents();
      const [first] = await site.events.ended(alpha.path, 'rejected', 1);
      for (const text of ['ip_policy_created.v0', 'Beta', 'Expired']) expect(expired).toContain(text);
      for (const text of [
        'ip_policy_created.v0',
        'Alpha',
        'Rejected',
        String(first?.event_id),
        String(first?.sequence),
      ])
        expect(rejected).toContain(text);
      expect(first?.error).toMatchObject({ code: 'ValidationException' });
      expect(rejected).toContain('Kinesis refused the event as malformed.ValidationException');
      expect(site.complaintsOf(page)).toEqual([]);
    });

    test('the list is filtered by state and destination, in an address that can be passed on', async () => {
      const page = await site.page({ role: 'auditor', path: '/not-delivered' });
      await expectRows(page, 2);
      await page.getByRole('button', { name: 'Rejected', exact: true }).click();
      await expectRows(page, 1);
      expect(new URL(page.url()).search).toBe('?state=rejected');
      await page.getByLabel('Destination').selectOption(beta.id);
      await page.getByRole('heading', { name: 'No delivery matches' }).waitFor();
      const other = await site.page({ path: `/not-delivered?destination_id=${beta.id}&state=expired` });
      await expectRows(other, 1);
      expect(await other.getByLabel('Destination').inputValue()).toBe(beta.id);
      await page.getByRole('button', { name: 'Clear the filters' }).first().click();
      await expectRows(page, 2);
      expect(new URL(page.url()).search).toBe('');
      await page.getByRole('grid').getByRole('link', { name: 'Beta' }).click();
      await page.getByRole('heading', { level: 1, name: 'Beta' }).waitFor();
      await page.getByRole('button', { name: 'Expired', exact: true, pressed: true }).waitFor();
      expect([...site.complaintsOf(page), ...site.complaintsOf(other)]).toEqual([]);
    });

    test('the list is reached, filtered and read, and an event opened, by keyboard alone', async () => {
      const page = await site.page({ role: 'auditor' });
      await page.keyboard.press('Control+k');
      await page.getByRole('searchbox', { name: 'Page or command' }).waitFor();
      await page.keyboard.type('not deliv');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Enter');
      await expectRows(page, 2);
      await pressByKey(page, page.getByRole('button', { name: 'Expired', exact: true }));
      await expectRows(page, 1);
      await tabTo(page, rows(page).first());
      await page.keyboard.press('Enter');
      const [expired] = await site.events.ended(beta.path, 'expired', 1);
      await page.waitForURL((url) => url.pathname === `/console/events/${expired?.event_id}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(site.complaintsOf(page)).toEqual([]);
    });

    test('a redelivered one leaves the list, and one of a deleted destination stays', async () => {
      const { admin } = site.events.api;
      const page = await site.page({ role: 'auditor', path: '/not-delivered' });
      await expectRows(page, 2);
      await admin.post(`${beta.path}/redeliveries`, { state: 'expired' });
      await site.events.ended(beta.path, 'expired', 0);
      await expectRows(page, 1);
      const { body } = await admin.get('/event_subscriptions');
      const all = body.event_subscriptions as readonly { id: string; destinations: readonly { id: string }[] }[];
      const own = all.find(({ destinations }) => destinations.some(({ id }) => id === alpha.id));
      await admin.delete(`/event_subscriptions/${own?.id}`);
      expect((await admin.delete(alpha.path)).status).toBe(204);
      await until(async () => (await rows(page).allTextContents()).join().includes('deleted destination'), 'deleted');
      expect(await rows(page).first().textContent()).toContain(alpha.id);
      expect(await page.getByRole('grid').getByRole('link').count()).toBe(1);
    });
  });
});
