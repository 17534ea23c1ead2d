import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { logOf, recordText } from '../../../packages/verify/src/command/testing.js';
import { expectAccessible } from '../browser/accessibility.js';
import { chromium } from '../browser/console-site.js';
import { holdRequests } from '../browser/held-request.js';
import { openRecorded, type Responses } from './recorded-console.js';
import { deliveryOf, listOf, statusOf } from './recorded-resources.js';

const lake = statusOf(1, { description: 'Security lake', last_sequence: 3 });
const other = statusOf(2, { description: 'Other lake', last_sequence: 3 });
const deliveries = [3, 2, 1].map((number) => deliveryOf(number));

function ofDestination(status: typeof lake): Responses {
  const path = `/event_destinations/${status.id}`;
  return {
    [`GET ${path}`]: { id: status.id, uri: path, description: status.description, target: { data_stream: {} } },
    [`GET ${path}/status`]: status,
    [`GET ${path}/deliveries`]: (_body, { searchParams }) => {
      const wanted = searchParams.get('state') ?? 'delivered';
      return listOf(
        'deliveries',
        deliveries.filter(({ state }) => state === wanted),
      );
    },
  };
}

const responses: Responses = {
  'GET /event_destinations/status': listOf('statuses', [lake, other]),
  ...ofDestination(lake),
  ...ofDestination(other),
};

const lines = deliveries.map(({ event_id: id, sequence, epoch }) =>
  JSON.stringify({ event_id: id, sequence, epoch, destination_id: lake.id }),
);

/** Chooses a file of this machine, as a person does it. */
async function choose(page: Page, file: string): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Choose files' }).click(),
  ]);
  await chooser.setFiles(file);
}

const verdictOf = (page: Page) => page.getByRole('region', { name: 'Verdict' });

/** Opens the page with a file that lacks number 2, and compares numbers and ids. */
async function compared(
  verdict = 'NOT every sequence is accounted for.',
  recorded = responses,
): Promise<{ readonly page: Page; readonly file: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-reconcile-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'export.ndjson');
  await writeFile(file, [lines[0], lines[2]].join('\n'));
  const { page } = await openRecorded(`/reconcile?destination=${lake.id}`, recorded);
  await page.getByRole('checkbox', { name: 'Compare the content of each event too' }).uncheck();
  await choose(page, file);
  await page.getByRole('button', { name: 'Compare' }).click();
  await verdictOf(page).getByRole('heading', { name: verdict }).waitFor();
  return { page, file };
}

describe.skipIf(chromium === null)('the verdict of a reconciliation', () => {
  test('names destination, file and times, until a comparison is begun again, which can be stopped at once', async () => {
    const { page } = await compared();
    const facts = await verdictOf(page).getByRole('definition').allTextContents();
    expect(facts.slice(0, 2)).toEqual(['Security lake', expect.stringMatching(/^export\.ndjson \(\d+ B\)$/)]);
    expect(facts.slice(2)).toEqual([expect.stringMatching(/\d{4}/), expect.stringMatching(/\d{4}/)]);
    await expectAccessible(page);
    const held = await holdRequests(page, 'GET', `/event_destinations/${lake.id}`);
    await page.getByRole('button', { name: 'Compare' }).click();
    await held.sent;
    await page.getByRole('button', { name: 'Stop the comparison' }).click();
    await page.getByText('The comparison was stopped.').waitFor();
    held.release();
  });

  test('goes when any input of the comparison changes', async () => {
    const { page, file } = await compared();
    const destination = page.getByRole('combobox', { name: 'Destination' });
    const first = page.getByLabel('First sequence that the file should hold');
    const time = page.getByLabel('When the target was read');
    const key = page.getByRole('textbox', { name: 'Verifier key' });
    const content = page.getByRole('checkbox', { name: 'Compare the content' });
    const firstWas = await first.inputValue();
    const timeWas = await time.inputValue();
    const inputs: readonly (readonly [
      name: string,
      change: () => Promise<unknown>,
      restore: () => Promise<unknown>,
    ])[] = [
      ['another destination', () => destination.selectOption(other.id), () => destination.selectOption(lake.id)],
      ['no file', () => page.getByRole('button', { name: 'Remove export.ndjson' }).click(), () => choose(page, file)],
      ['another first number', () => first.fill('2'), () => first.fill(firstWas)],
      ['another time', () => time.fill('2026-11-20T10:00:00'), () => time.fill(timeWas)],
      ['a verifier key', () => key.fill('log+0+a'), () => key.fill('')],
      ['the content too', () => content.check(), () => content.uncheck()],
    ];
    for (const [name, change, restore] of inputs) {
      await change();
      await expect.poll(() => verdictOf(page).count(), { message: name }).toBe(0);
      await restore();
      await page.getByRole('button', { name: 'Compare' }).click();
      await verdictOf(page).getByRole('heading', { name: 'NOT every sequence is accounted for.' }).waitFor();
    }
  });

  test('has an event that an erasure record names as erased, and says that the record was not verified', async () => {
    const { log } = logOf(3);
    const note = log.sign(recordText(log, [[1, 2]]));
    const { page } = await compared('2 arrived, 1 was erased by a record that was not verified.', {
      ...responses,
      [`GET /event_destinations/${lake.id}/log/1/erasures`]: note,
    });
    const row = page.getByRole('grid', { name: 'Sequences' }).locator('[data-index]').nth(1);
    expect(await row.textContent()).toMatch(/^2Erased.*Without a verifier key, it was not verified\.ers_1$/);
    await expectAccessible(page);
  });

  test('goes when the repaired file of the same name is chosen, which is then compared', async () => {
    const { page, file } = await compared();
    await writeFile(file, lines.join('\n'));
    await choose(page, file);
    await expect.poll(() => verdictOf(page).count()).toBe(0);
    await page.getByRole('button', { name: 'Compare' }).click();
    await verdictOf(page).getByRole('heading', { name: 'Every event arrived. Nothing was lost.' }).waitFor();
  });
});

test.skipIf(chromium === null)('an export that a reconciliation made is named after its destination', async () => {
  const one = {
    id: 'exp_1',
    uri: '/exports/exp_1',
    created_at: '2026-11-20T08:00:00.000Z',
    state: 'failed',
    format: 'ndjson',
    filter: {},
    destination_id: lake.id,
    requested_by: { principal_id: 'usr_1', credential_id: null },
    progress: { events: 0, bytes: 0, reached_at: null },
    error: null,
    manifest: null,
    download_uri: null,
    expires_at: null,
  };
  const { page } = await openRecorded('/exports', { ...responses, 'GET /exports': listOf('exports', [one]) });
  await page.getByRole('gridcell', { name: 'Every delivery, in any state, to Security lake' }).waitFor();
  expect(await page.getByText('All events').count()).toBe(0);
});
