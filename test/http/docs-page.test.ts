import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { findChromium, startChromium, type Browser } from '../e2e/dashboard/chromium.js';
import { createTestStore } from '../support/database.js';
import { startNotes, type RunningApi } from './notes-api.js';

const executable = findChromium();

describe.skipIf(executable === null)('the page of the documentation in a browser', () => {
  let store: Store;
  let api: RunningApi;
  let browser: Browser;
  beforeAll(async () => {
    store = await createTestStore();
    api = await startNotes(store);
    browser = await startChromium(executable ?? '');
  });
  afterAll(async () => {
    await browser?.close();
    await api?.close();
    await store?.close();
  });

  test('shows the operations, sends requests only to this server, and violates no content policy', async () => {
    const page = await browser.context.newPage();
    const complaints: string[] = [];
    const elsewhere: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(api.origin) && !request.url().startsWith('data:')) elsewhere.push(request.url());
    });
    await page.goto(`${api.origin}/docs`);
    await page.getByText('Write a note').first().waitFor();
    await page.getByText('Write a note').first().click();
    await page.getByText('Idempotency-Key').first().waitFor();
    expect([complaints, elsewhere]).toEqual([[], []]);
  });
});
