import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { TestClient, type JsonObject } from '../../support/api-client.js';
import { expectAccessible } from './accessibility.js';
import { chromium, ConsoleSite } from './console-site.js';

const COUNT = 5;

describe.skipIf(chromium === null)('exports', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await ConsoleSite.open();
    await site.events.publish(COUNT);
  });
  afterAll(() => site.close());

  test('an auditor exports what a search finds, waits for the file and downloads it', async () => {
    const page = await site.page({ role: 'auditor', path: '/events?type=ip_policy_created.v0' });
    await page.getByText(`${COUNT} events, all that match`).waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export events to a file' });
    expect(await dialog.textContent()).toContain('ip_policy_created.v0');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Export' }).click();
    await dialog.getByText('Completed').waitFor();
    expect(await dialog.textContent()).toContain(`${COUNT} in `);
    await expectAccessible(page);

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: /^Download/ }).click(),
    ]);
    const lines = (await readFile(await file.path(), 'utf8')).trimEnd().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as JsonObject).event_type)).toEqual(
      Array.from({ length: COUNT }, () => 'ip_policy_created.v0'),
    );
    expect(file.suggestedFilename()).toMatch(/\.ndjson$/);
    const [manifest] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: /^Manifest of/ }).click(),
    ]);
    const proof = JSON.parse(await readFile(await manifest.path(), 'utf8')) as JsonObject;
    expect(proof).toMatchObject({ count: COUNT, requested_by: {}, file: { name: file.suggestedFilename() } });
    await dialog.getByRole('button', { name: 'Close' }).click();
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('a search without events cannot be exported, and the dialog says why', async () => {
    const page = await site.page({ path: '/events?object_id=none' });
    await page.getByText('No event matches').waitFor();
    await page.getByRole('button', { name: 'Export' }).click();
    const dialog = page.getByRole('dialog', { name: 'Export events to a file' });
    await dialog.getByRole('button', { name: 'Export' }).click();
    expect(await dialog.getByRole('alert').textContent()).toContain('no event matches the filter');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  test('are listed with what they hold, lead back to their search, and are deleted after a question', async () => {
    const { admin } = site.events.api;
    const one = await admin.create('/exports', { format: 'csv', filter: { type: ['ip_policy_created.v0'] } });
    const page = await site.page({ path: '/exports' });
    const row = page.getByRole('row', { name: new RegExp(one.id) });
    await row.getByText('Completed').waitFor();
    expect(await row.textContent()).toContain(`${COUNT} events`);
    await row.getByRole('link', { name: 'Search the same events' }).click();
    await page.getByText(`${COUNT} events, all that match`).waitFor();
    await page.goBack();

    await row.getByRole('button', { name: `Delete the export ${one.id}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel' }).click();
    expect((await admin.get(one.path)).status).toBe(200);
    await row.getByRole('button', { name: `Delete the export ${one.id}` }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
    expect((await admin.get(one.path)).status).toBe(404);
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('of another principal are deleted by an admin only', async () => {
    const { admin } = site.events.api;
    const bot = await admin.create('/bot_users', { name: 'nightly export' });
    const { token } = await admin.create('/api_keys', { owner_id: bot.id, role: 'auditor' });
    const one = await new TestClient(admin.baseUrl, String(token)).create('/exports', { format: 'csv', filter: {} });
    const page = await site.page({ role: 'auditor', path: '/exports' });
    const row = page.getByRole('row', { name: new RegExp(one.id) });
    await row.getByText('Completed').waitFor();
    expect(await row.getByRole('button', { name: /^Download/ }).count()).toBe(1);
    expect(await row.getByRole('button', { name: /^Delete/ }).count()).toBe(0);
    const adminPage = await site.page({ path: '/exports' });
    await adminPage.getByRole('button', { name: `Delete the export ${one.id}` }).waitFor();
  });

  test('an export that waits is cancelled', async () => {
    const { admin, store } = site.events.api;
    const page = await site.page({ path: '/exports' });
    const blocker = await store.pool.connect();
    try {
      // An open change of the account: the export waits for its end.
      await blocker.query('begin');
      await blocker.query('select pg_current_xact_id()');
      const one = await admin.create('/exports', { format: 'ndjson' });
      await page.reload();
      const row = page.getByRole('row', { name: new RegExp(one.id) });
      await row.getByText('Waits to be written').waitFor();
      await row.getByRole('button', { name: 'Cancel the export' }).click();
      await row.getByText('Cancelled').waitFor();
      expect((await admin.get(one.path)).body.state).toBe('cancelled');
    } finally {
      await blocker.query('rollback');
      blocker.release();
    }
  });
});
