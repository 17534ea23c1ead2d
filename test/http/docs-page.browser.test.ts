import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../src/database/store.js';
import type { Service } from '../../src/service.js';
import { findChromium, sharedChromium } from '../e2e/dashboard/chromium.js';
import { endTransitions, findings, RULES_OF_COLOURS } from '../support/accessibility.js';
import { createTestStore } from '../support/database.js';
import { ADMIN_KEY, startTestService } from '../support/test-service.js';

const executable = findChromium();

/** The document of the API, as far as it is used here. */
interface OpenApiDocument {
  readonly paths: Readonly<Record<string, unknown>>;
  readonly components: { readonly schemas: Readonly<Record<string, unknown>> };
}

/** Returns the names of the schemas that a part of the document refers to. */
function namesOfSchemas(part: unknown): readonly string[] {
  return [...JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name);
}

describe.skipIf(executable === null)('the page of the documentation in a browser', () => {
  let store: Store;
  let service: Service;
  let context: BrowserContext;
  let page: Page;
  /** What the policy of the page refused, and what its scripts threw. */
  let complaints: string[] = [];
  /** Requests to other servers. */
  let elsewhere: string[] = [];
  beforeAll(async () => {
    store = await createTestStore();
    service = await startTestService(store.connectionString, { ROLES: 'api' });
    context = await (await sharedChromium(executable ?? '')).newContext({ locale: 'en-US' });
  });
  afterAll(async () => {
    await context?.close();
    await service?.stop();
    await store?.close();
  });
  beforeEach(async () => {
    await page?.close();
    page = await newPage();
    [complaints, elsewhere] = [[], []];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('request', (request) => {
      if (!request.url().startsWith(service.url) && !request.url().startsWith('data:')) elsewhere.push(request.url());
    });
  });

  /** Swagger UI takes seconds of CPU to start, which is far longer on a busy machine. */
  async function newPage(): Promise<Page> {
    const opened = await context.newPage();
    opened.setDefaultTimeout(90_000);
    return opened;
  }

  /**
   * Leaves some operations in the document of the page, and the schemas that they use. Swagger UI resolves the whole
   * document for each operation that is opened, which takes seconds of CPU time.
   * @param which paths of the operations; default: those of a family
   */
  async function shorten(which = /^\/ip_policies(\/\{id\})?$/): Promise<void> {
    await page.route('**/openapi.json', async (route) => {
      const document = (await (await route.fetch()).json()) as OpenApiDocument;
      const { paths, components } = document;
      const some = Object.fromEntries(Object.entries(paths).filter(([path]) => which.test(path)));
      const { schemas, ...others } = components;
      const used = new Set(namesOfSchemas([some, others]));
      // The loop also visits the names that are added to the set.
      for (const name of used) for (const next of namesOfSchemas(schemas[name])) used.add(next);
      const left = Object.fromEntries([...used].map((name) => [name, schemas[name]]));
      await route.fulfill({ json: { ...document, paths: some, components: { ...others, schemas: left } } });
    });
  }

  /** Opens the page and waits for its groups. */
  async function open(fragment = ''): Promise<void> {
    await page.goto(`${service.url}/docs${fragment}`);
    await page
      .getByRole('heading', { name: /^IP policies/i })
      .first()
      .waitFor();
  }

  const searchField = () => page.getByRole('searchbox', { name: 'Search the operations' });
  const shownOperations = () => page.locator('.opblock-summary').count();
  const operation = (path: string, method: string) =>
    page.locator(`.opblock-${method}`, { has: page.locator(`[data-path="${path}"]`) });

  test('collapses its groups, opens the operation of a link, loads nothing from elsewhere, and violates no content policy', async () => {
    await open();
    expect(await shownOperations()).toBe(0);
    await page.getByRole('heading', { name: /^IP policies/i }).click();
    await operation('/ip_policies/{id}', 'get').click();
    await operation('/ip_policies/{id}', 'get').getByText('If-None-Match').first().waitFor();
    await page.waitForURL(/#\/.+\/getIpPolicy$/);
    expect([complaints, elsewhere]).toEqual([[], []]);
    const link = new URL(page.url()).hash;
    await searchField().fill('redeliverEvents');
    await expect.poll(shownOperations).toBe(1);
    await page.close();
    page = await newPage();
    await shorten();
    await open(link);
    await operation('/ip_policies/{id}', 'get').locator('.opblock-body').waitFor();
    expect(await page.locator('.opblock.is-open').count()).toBe(1);
  });

  test('finds operations by words of their summary, path, method or id, and opens their groups', async () => {
    await shorten(/^\/(ip_policies(\/\{id\})?|event_destinations\/\{id\}\/redeliveries)$/);
    await open();
    await page.keyboard.press('/');
    await page.keyboard.type('createIpPolicy');
    await operation('/ip_policies', 'post').waitFor();
    await expect.poll(shownOperations).toBe(1);
    await searchField().fill('post ip_policies');
    await operation('/ip_policies', 'post').waitFor();
    await searchField().fill('redeliver');
    await operation('/event_destinations/{id}/redeliveries', 'post').waitFor();
    expect(await operation('/ip_policies', 'post').count()).toBe(0);
    await searchField().fill('no such operation');
    await page.getByText('No operation matches.').waitFor();
    expect(await shownOperations()).toBe(0);
    expect(await page.locator('body').textContent()).not.toContain('No operations defined');
    await searchField().fill('');
    await page.getByRole('heading', { name: /^IP policies/i }).waitFor();
    expect(await shownOperations()).toBe(0);
    expect(complaints).toEqual([]);
  });

  test('shows a command with a place for the key, asks for an API key only, and sends the version of the API once', async () => {
    await shorten();
    await open();
    await searchField().fill('listIpPolicies');
    await operation('/ip_policies', 'get').click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    const command = await page.locator('.curl-command').textContent();
    expect(command).toContain("-H 'Authorization: Bearer <API key>'");
    expect(command).toContain("-H 'Service-Version: 2'");
    const example = await operation('/ip_policies', 'get').locator('.responses-table .example').first().textContent();
    expect(/"created_at": "(\d{4})-/.exec(example ?? '')?.[1], 'a time that a clock can show').toMatch(/^20\d\d$/);
    // The browser complains about the refusal.
    await page.locator('.live-responses-table .response-col_status', { hasText: '401' }).waitFor();
    complaints = [];

    await page
      .getByRole('button', { name: /^authorize$/i })
      .first()
      .click();
    const dialog = page.locator('.dialog-ux');
    expect(await dialog.locator('input').count()).toBe(1);
    await dialog.locator('input').fill(ADMIN_KEY);
    await dialog.getByRole('button', { name: /apply|authorize/i }).click();
    await dialog
      .getByRole('button', { name: /^close$/i })
      .last()
      .click();
    const sent = page.waitForRequest((request) => request.url().includes('/ip_policies'));
    await page.getByRole('button', { name: 'Execute' }).click();
    const request = await sent;
    const headers = await request.headersArray();
    expect(headers.filter(({ name }) => name.toLowerCase() === 'service-version')).toEqual([
      { name: expect.any(String), value: '2' },
    ]);
    expect((await request.response())?.status()).toBe(200);
    await page.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    expect([complaints, elsewhere]).toEqual([[], []]);
  });

  /** Shows the page in a theme at a width. A transition between the colours of two themes ends at once. */
  async function show(colorScheme: 'dark' | 'light', width: number): Promise<void> {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    await endTransitions(page);
  }

  test('is readable in both themes, and fits 390 pixels', async () => {
    // Begins in the dark theme and changes to the light one while it is open.
    await page.emulateMedia({ colorScheme: 'dark' });
    await shorten();
    await open();
    await show('dark', 390);
    expect(await findings(page, { impacts: ['serious', 'critical'] }), 'dark').toEqual([]);
    await show('light', 1280);
    expect(await findings(page, { impacts: ['serious', 'critical'], rules: RULES_OF_COLOURS }), 'light').toEqual([]);
    await searchField().fill('ip_policies');
    const opened = [
      operation('/ip_policies', 'post'),
      operation('/ip_policies', 'get'),
      operation('/ip_policies/{id}', 'patch'),
      operation('/ip_policies/{id}', 'delete'),
    ];
    // One after the other would let Swagger UI resolve the document for each, which takes seconds of CPU time.
    await Promise.all(opened.map((each) => each.locator('.opblock-summary-control').dispatchEvent('click')));
    for (const each of opened) await each.getByRole('button', { name: 'Try it out' }).waitFor();
    await operation('/ip_policies/{id}', 'patch').getByRole('button', { name: 'Try it out' }).click();
    for (const theme of ['dark', 'light'] as const) {
      for (const width of [390, 1280]) {
        await show(theme, width);
        expect(await page.evaluate('document.documentElement.scrollWidth'), `${theme}, ${width} pixels`).toBe(
          await page.evaluate('document.documentElement.clientWidth'),
        );
        // Each theme at one width.
        if ((theme === 'dark') === (width === 390))
          expect(await findings(page, { rules: ['color-contrast'] }), theme).toEqual([]);
      }
    }
    expect(complaints).toEqual([]);
  });
});
