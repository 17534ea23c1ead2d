import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FileChooser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Created, JsonObject } from '../../support/api-client.js';
import { expectAccessible } from './accessibility.js';
import { chromium, ConsoleSite } from './console-site.js';

const COUNT = 6;

describe.skipIf(chromium === null)('the reconciliation in the browser', () => {
  let site: ConsoleSite;
  let lake: Created;
  let lines: readonly string[];
  /** Has what is dropped. */
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'waybill-drop-'));
    // A checkpoint would be one more event of the destination.
    site = await ConsoleSite.open({ PROOF_CHECKPOINT_SECONDS: '86400' });
    const { events } = site;
    const destination = await events.destination();
    lake = destination;
    await events.api.admin.patch(lake.path, { description: 'Security lake' });
    await events.publish(COUNT);
    await events.ended(lake.path, 'delivered', COUNT);
    lines = events.arrivals(destination.arn).flatMap((body) => body.trimEnd().split('\n'));
  });
  afterAll(async () => {
    await site.close();
    await rm(folder, { recursive: true });
  });

  /** Writes a file that can be dropped. Returns its path. */
  async function write(name: string, content: string): Promise<string> {
    await writeFile(join(folder, name), content);
    return join(folder, name);
  }

  /** Drags files or folders of this machine over the drop area with the mouse, and lets go of them there. */
  async function drop(page: Page, ...files: readonly string[]): Promise<void> {
    const area = await page.getByText('Drop the file from the target here').boundingBox();
    if (!area) throw new Error('The drop area is not visible.');
    const [x, y] = [area.x + area.width / 2, area.y + area.height / 2];
    const browser = await page.context().newCDPSession(page);
    // Bit 1: copy. https://chromedevtools.github.io/devtools-protocol/tot/Input/#type-DragData
    const data = { items: [], files: [...files], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await browser.send('Input.dispatchDragEvent', { type, x, y, data });
    await browser.detach();
  }

  /** Returns the bodies of what a page sends from now on. */
  function sentBy(page: Page): readonly unknown[] {
    const sent: unknown[] = [];
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(request.postDataJSON());
    });
    return sent;
  }

  /** Chooses the destination and a file with the lines, and compares them. */
  async function compare(page: Page, content: string | Buffer, name = 'export.ndjson'): Promise<void> {
    await page.getByRole('combobox', { name: 'Destination' }).selectOption(lake.id);
    const buffer = Buffer.from(content);
    await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'application/x-ndjson', buffer });
    await page.getByRole('button', { name: 'Compare' }).click();
  }

  test('says what is missing for a comparison, step by step', async () => {
    const page = await site.page({ path: '/reconcile' });
    await page.getByText('Choose the destination that the file is of.').waitFor();
    expect(await page.getByRole('button', { name: 'Compare' }).isDisabled()).toBe(true);
    await page.getByRole('combobox', { name: 'Destination' }).selectOption(lake.id);
    await page.getByText('Drop or choose the file from the target.').waitFor();
    expect(new URL(page.url()).search).toBe(`?destination=${lake.id}`);
  });

  test('says which line of a file holds no event', async () => {
    const page = await site.page({ path: '/reconcile' });
    await compare(page, `${lines[0]}\nnot JSON\n`, 'notes.txt');
    expect(await page.getByRole('alert').textContent()).toContain('notes.txt, line 2 is no JSON.');
    await page.getByRole('button', { name: 'Remove notes.txt' }).click();
    await page.getByText('Drop or choose the file from the target.').waitFor();
  });

  test('takes two files that are dropped at once, and reads every event in them', async () => {
    const page = await site.page({ role: 'auditor', path: `/reconcile?destination=${lake.id}` });
    const sent = sentBy(page);
    const first = await write('part-1.ndjson', lines.slice(0, 2).join('\n'));
    const second = await write('part-2.ndjson', lines.slice(2).join('\n'));
    await drop(page, second, first);
    const chosen = page.getByRole('list', { name: 'Chosen files' }).getByRole('listitem');
    await chosen.nth(1).waitFor();
    expect((await chosen.allTextContents()).map((text) => /part-\d/.exec(text)?.[0])).toEqual(['part-1', 'part-2']);
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('heading', { name: 'Every event arrived. Nothing was lost.' }).waitFor();
    expect(sent).toEqual([{ format: 'ndjson', destination_id: lake.id }]);
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('says that a dropped folder cannot be read, and takes the file beside it', async () => {
    const page = await site.page({ path: `/reconcile?destination=${lake.id}` });
    await mkdir(join(folder, 'exports-of-may'));
    await drop(page, join(folder, 'exports-of-may'));
    await page.getByRole('alert').getByText('A folder cannot be read: exports-of-may. Drop the files in it.').waitFor();
    expect(await page.getByRole('button', { name: 'Compare' }).isDisabled()).toBe(true);
    await expectAccessible(page);
    await drop(page, await write('whole.ndjson', lines.join('\n')));
    await page.getByRole('button', { name: 'Remove whole.ndjson' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('says what is wrong with a dropped file that is empty', async () => {
    const page = await site.page({ path: `/reconcile?destination=${lake.id}` });
    await drop(page, await write('empty.ndjson', ''));
    await page.getByRole('button', { name: 'Remove empty.ndjson' }).waitFor();
    await page.getByRole('button', { name: 'Compare' }).click();
    await page.getByRole('alert').getByText('No event is in empty.ndjson. An export holds one event a line.').waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('is done by an auditor by keyboard alone: the destination, the file, the comparison, the report', async () => {
    const page = await site.page({ role: 'auditor', path: '/reconcile' });
    const sent = sentBy(page);
    // Long before the key: a request to catch the dialog that is sent just before it may arrive later.
    const choosing = new Promise<FileChooser>((resolve) => page.once('filechooser', resolve));
    await page.getByRole('combobox', { name: 'Destination' }).focus();
    await page.locator('option', { hasText: 'Security lake' }).waitFor({ state: 'attached' });
    // One letter: a browser takes a letter that is typed late for the first one, and a space opens the list.
    await page.keyboard.press('s');
    await page.waitForURL(/destination=/);
    await page.getByRole('button', { name: 'Choose files' }).focus();
    await page.keyboard.press('Enter');
    const chooser = await choosing;
    await chooser.setFiles(await write('by-key.ndjson', lines.join('\n')));
    await page.getByRole('button', { name: 'Remove by-key.ndjson' }).waitFor();
    await page.getByRole('button', { name: 'Compare' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Every event arrived. Nothing was lost.' }).waitFor();
    const row = page.getByRole('grid', { name: 'Sequences' }).locator('[data-index]');
    expect(await row.allTextContents()).toEqual([expect.stringContaining(`1 to ${COUNT}`)]);
    expect(sent).toEqual([{ format: 'ndjson', destination_id: lake.id }]);
    await page.getByRole('button', { name: 'Download the report as JSON' }).focus();
    const [report] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    expect(JSON.parse(await readFile(await report.path(), 'utf8'))).toMatchObject({ accounted_for: true, missing: [] });
    expect(site.complaintsOf(page)).toEqual([]);
  });

  /** Returns the lines without number 2, and with another description in number 4. */
  function tampered(): string {
    return lines
      .map((line) => JSON.parse(line) as JsonObject)
      .filter(({ sequence }) => sequence !== 2)
      .map((event) =>
        event.sequence === 4 ? { ...event, object: { ...Object(event.object), description: 'new' } } : event,
      )
      .map((event) => JSON.stringify(event))
      .join('\n');
  }

  test('finds an altered and a missing event, shows the member that differs, and the reports have both', async () => {
    const page = await site.page({ role: 'auditor', path: `/reconcile?destination=${lake.id}` });
    await compare(page, gzipSync(tampered()), 'tampered.ndjson.gz');
    await page
      .getByRole('heading', { name: 'NOT every sequence is accounted for, and 1 event was ALTERED.' })
      .waitFor();
    await page.getByText('Compared: sequences, ids and content of 5 events').waitFor();
    const rows = page.getByRole('grid', { name: 'Sequences' }).locator('[data-index]');
    expect((await rows.allTextContents()).map((text) => /Arrived|Missing|Altered/.exec(text)?.[0])).toEqual([
      'Arrived',
      'Missing',
      'Arrived',
      'Altered',
      'Arrived',
    ]);
    const altered = await rows.nth(3).textContent();
    expect(altered).toContain('tampered.ndjson.gz, line 3');
    expect(altered).toContain('object.description: "new" in the file, null delivered');
    await expectAccessible(page);
    const [report] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the report as text' }).click(),
    ]);
    expect(await readFile(await report.path(), 'utf8')).toContain('object.description: "new" in the file');
    await page.getByLabel('Look up a sequence').fill('6');
    expect(await rows.allTextContents()).toEqual([expect.stringContaining('5 to 6')]);
    await page.getByLabel('Look up a sequence').fill('');
    await page.getByRole('button', { name: /^Missing/ }).click();
    expect(await rows.count()).toBe(1);
    const [json] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the report as JSON' }).click(),
    ]);
    expect(JSON.parse(await readFile(await json.path(), 'utf8'))).toMatchObject({
      destination: { id: lake.id, description: 'Security lake' },
      accounted_for: false,
      missing: [{ sequence: 2, because: 'acknowledged' }],
    });
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('compares numbers and ids only where the content is not asked for, and creates no export', async () => {
    const page = await site.page({ role: 'auditor', path: `/reconcile?destination=${lake.id}` });
    const sent = sentBy(page);
    await page.getByRole('checkbox', { name: 'Compare the content of each event too' }).uncheck();
    await compare(page, tampered());
    await page.getByText('Compared: sequences and ids only.').waitFor();
    await page.getByRole('heading', { name: 'NOT every sequence is accounted for.' }).waitFor();
    expect(sent).toEqual([]);
  });

  test('refuses a file of Waybill that was changed on the way', async () => {
    const page = await site.page({ path: `/reconcile?destination=${lake.id}` });
    await page.route('**/exports/*/download', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replace('"sequence":4', '"sequence":5') });
    });
    await compare(page, tampered());
    await page
      .getByText(/CONTENT NOT COMPARED: The file of Waybill's export exp_\w+ is not what its manifest says/)
      .waitFor();
    await page.getByRole('heading', { name: 'NOT every sequence is accounted for.' }).waitFor();
    expect(await page.getByText('Other members').count()).toBe(0);
  });
});

describe.skipIf(chromium === null)('the verification in the browser', () => {
  let site: ConsoleSite;
  let lake: Awaited<ReturnType<ConsoleSite['events']['destination']>>;
  let lines: readonly string[];
  let vkey: string;
  beforeAll(async () => {
    site = await ConsoleSite.open({ PROOF_CHECKPOINT_SECONDS: '0.2' });
    lake = await site.events.destination();
    await site.events.publish(COUNT);
    lines = await site.events.sealed(lake, COUNT);
    vkey = (await (await fetch(`${site.events.api.baseUrl}/.well-known/waybill-log-keys`)).text()).trim();
  });
  afterAll(() => site.close());

  test('an auditor verifies a file with a key that stays in the browser, and finds one altered character', async () => {
    const page = await site.page({ role: 'auditor', path: `/reconcile?destination=${lake.id}` });
    const compare = async (content: string): Promise<void> => {
      const buffer = Buffer.from(content);
      await page.locator('input[type=file]').setInputFiles({ name: 'a.ndjson', mimeType: 'text/plain', buffer });
      await page.getByRole('button', { name: 'Compare' }).click();
    };
    await page.getByRole('textbox', { name: 'Verifier key' }).fill(vkey);
    await compare(lines.join('\n'));
    await page
      .getByRole('heading', {
        name: /Every event arrived.* The signed log has each of these events but what came after/,
      })
      .waitFor();
    const log = page.getByRole('region', { name: 'Signed log' });
    expect(await log.textContent()).toContain(`/${lake.id}/1, checkpoint of ${lines.length - 1} events, read at 20`);
    expect(await log.textContent()).toContain(vkey);
    await expectAccessible(page);

    await page.reload();
    expect(await page.getByRole('textbox', { name: 'Verifier key' }).inputValue()).toBe(vkey);
    const altered = lines.with(2, (lines[2] ?? '').replace('"event_timestamp":"2', '"event_timestamp":"3'));
    await page.getByRole('checkbox', { name: 'Compare the content of each event too' }).uncheck();
    await compare(altered.join('\n'));
    await page.getByRole('heading', { name: /NOT VERIFIED with the signed log\.$/ }).waitFor();
    expect(await log.textContent()).toContain('1 of the signed log: ALTERED: the content is not what the log has');
    const rows = page.getByRole('grid', { name: 'Sequences' }).locator('[data-index]');
    expect(await rows.count()).toBe(3);
    expect(await rows.nth(1).textContent()).toMatch(/^3Not as signed/);
    await expectAccessible(page);
    expect(site.complaintsOf(page)).toEqual([]);
  });
});
