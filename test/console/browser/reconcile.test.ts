import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Created, JsonObject } from '../../support/api-client.js';
import { expectAccessible } from './accessibility.js';
import { chromium, ConsoleSite } from './console-site.js';

const COUNT = 6;

describe.skipIf(chromium === null)('the reconciliation in the browser', () => {
  let site: ConsoleSite;
  let lake: Created;
  let lines: readonly string[];
  beforeAll(async () => {
    site = await ConsoleSite.open();
    const { events } = site;
    const destination = await events.destination();
    lake = destination;
    await events.api.admin.patch(lake.path, { description: 'Security lake' });
    await events.publish(COUNT);
    await events.ended(lake.path, 'delivered', COUNT);
    lines = events.arrivals(destination.arn).flatMap((body) => body.trimEnd().split('\n'));
  });
  afterAll(() => site.close());

  /** Chooses the destination and a file with the lines, and compares them. */
  async function compare(page: Page, content: string | Buffer, name = 'export.ndjson'): Promise<void> {
    await page.getByRole('combobox', { name: 'Destination' }).selectOption(lake.id);
    const buffer = Buffer.from(content);
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/x-ndjson', buffer });
    await page.getByRole('button', { name: 'Compare' }).click();
  }

  test('says what is missing for a comparison, step by step', async () => {
    const page = await site.page({ path: '/reconcile' });
    await page.getByText('Choose the destination that the export is of.').waitFor();
    expect(await page.getByRole('button', { name: 'Compare' }).isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Destination' }).selectOption(lake.id);
    await page.getByText('Drop or choose the export.').waitFor();
    expect(new URL(page.url()).search).toBe(`?destination=${lake.id}`);
    await expectAccessible(page);
  });

  test('an auditor reads that every event arrived, and sends nothing', async () => {
    const page = await site.page({ role: 'auditor', path: '/reconcile' });
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.url());
    });
    await compare(page, lines.join('\n'));
    await page.getByRole('heading', { name: 'Every event arrived. Nothing was lost.' }).waitFor();
    const row = page.getByRole('grid', { name: 'Numbers' }).locator('[data-index]');
    expect(await row.allTextContents()).toEqual([expect.stringContaining(`1 to ${COUNT}`)]);
    expect(sent).toEqual([]);
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('names the number that the export does not hold, and the report has it', async () => {
    const page = await site.page({ path: `/reconcile?destination=${lake.id}` });
    const without = lines.filter((line) => (JSON.parse(line) as JsonObject).sequence !== 3);
    await compare(page, without.join('\n'));
    await page.getByRole('heading', { name: 'NOT every number is accounted for.' }).waitFor();
    const rows = page.getByRole('grid', { name: 'Numbers' }).locator('[data-index]');
    expect((await rows.allTextContents()).map((text) => /Arrived|Missing/.exec(text)?.[0])).toEqual([
      'Arrived',
      'Missing',
      'Arrived',
    ]);
    await expectAccessible(page);
    await page.getByLabel('Look up a number').fill('2');
    expect(await rows.allTextContents()).toEqual([expect.stringContaining('1 to 2')]);
    await page.getByLabel('Look up a number').fill('');
    await page.getByRole('button', { name: /^Missing/ }).click();
    expect(await rows.count()).toBe(1);

    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the report as JSON' }).click(),
    ]);
    expect(JSON.parse(await readFile(await file.path(), 'utf8'))).toMatchObject({
      destination_id: lake.id,
      accounted_for: false,
      missing: [{ sequence: 3, because: 'acknowledged' }],
    });
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('reads a file that gzip has compressed', async () => {
    const page = await site.page({ path: '/reconcile' });
    await compare(page, gzipSync(lines.join('\n')), 'export.ndjson.gz');
    await page.getByRole('heading', { name: 'Every event arrived. Nothing was lost.' }).waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('says which line of a file holds no event', async () => {
    const page = await site.page({ path: '/reconcile' });
    await compare(page, `${lines[0]}\nnot JSON\n`, 'notes.txt');
    expect(await page.getByRole('alert').textContent()).toContain('notes.txt, line 2 is no JSON.');
    await page.getByRole('button', { name: 'Remove notes.txt' }).click();
    await page.getByText('Drop or choose the export.').waitFor();
  });
});
