import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Store } from '../../src/database/store.js';
import { findChromium, startChromium, type Browser } from '../e2e/dashboard/chromium.js';
import { findings } from '../support/accessibility.js';
import { createTestStore } from '../support/database.js';
import { startNotes, type RunningApi } from './notes-api.js';

/** What a browser sends for a page. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';

let store: Store;
let api: RunningApi;
beforeAll(async () => {
  store = await createTestStore();
  api = await startNotes(store);
});
afterAll(async () => {
  await api.close();
  await store.close();
});

const visit = (accept: string, on = api): Promise<Response> => fetch(`${on.origin}/`, { headers: { accept } });

describe('GET /', () => {
  test('returns JSON with links to clients that are no browser, without an API key', async () => {
    const response = await visit('*/*');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toContain('application/json');
    expect(response.headers.get('vary')).toBe('Accept');
    expect(response.headers.get('operation-id')).toMatch(/^op_/);
    const { links, ...rest } = (await response.json()) as { links: Record<string, string> };
    expect(rest).toEqual({ service: 'Waybill', summary: expect.any(String), roles: ['api', 'worker'] });
    expect(links).toEqual(
      Object.fromEntries(
        Object.entries({
          console: '/console',
          docs: '/docs',
          openapi: '/openapi.json',
          dashboard: '/dashboard',
          ready: '/readyz',
          live: '/livez',
        }).map(([name, path]) => [name, `${api.origin}${path}`]),
      ),
    );
  });

  test('returns a page with the same links to a browser', async () => {
    const response = await visit(BROWSER);
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-[^']+'; /);
    expect(response.headers.get('content-security-policy')).not.toContain('script-src');
    const html = await response.text();
    expect(html).toContain('This process serves the API and delivers events.');
    expect(html).not.toContain('<script');
    const hrefs = Array.from(html.matchAll(/<a href="([^"]+)"/g), ([, href]) => href);
    expect(hrefs).toEqual(['/console', '/docs', '/openapi.json', '/dashboard', '/readyz', '/livez']);
  });

  test('of a worker has links to its health only', async () => {
    const worker = await startNotes(store, { environment: { ROLES: 'worker' } });
    try {
      const { roles, links } = (await (await visit('application/json', worker)).json()) as {
        roles: string[];
        links: Record<string, string>;
      };
      expect([roles, Object.keys(links)]).toEqual([['worker'], ['ready', 'live']]);
      expect(await (await visit(BROWSER, worker)).text()).toContain('This process delivers events.');
    } finally {
      await worker.close();
    }
  });

  test('has links below PUBLIC_URL, and refuses a Host that is no host', async () => {
    const published = await startNotes(store, { environment: { PUBLIC_URL: 'https://trail.example.com' } });
    try {
      const { links } = (await (await visit('*/*', published)).json()) as { links: Record<string, string> };
      expect(links['console']).toBe('https://trail.example.com/console');
    } finally {
      await published.close();
    }
    const server = api.app.getHttpAdapter().getInstance();
    const refused = await server.inject({ url: '/', headers: { host: '"><script>' } });
    expect([refused.statusCode, refused.json()]).toEqual([
      400,
      expect.objectContaining({ error_code: 'host_invalid' }),
    ]);
  });

  test('takes no other method', async () => {
    expect((await fetch(`${api.origin}/`, { method: 'HEAD' })).status).toBe(200);
    const post = await fetch(`${api.origin}/`, { method: 'POST' });
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });
});

const executable = findChromium();

describe.skipIf(executable === null)('the front page in a browser', () => {
  let browser: Browser;
  let page: Page;
  beforeAll(async () => {
    browser = await startChromium(executable ?? '');
    page = await browser.context.newPage();
  });
  afterAll(() => browser.close());

  test.each(['light', 'dark'] as const)('is accessible in the %s theme, and fits 390 pixels', async (colorScheme) => {
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.emulateMedia({ colorScheme });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${api.origin}/`);
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
      expect(await findings(page)).toEqual([]);
    }
    expect(complaints).toEqual([]);
  });

  test('leads to the documentation by keyboard', async () => {
    await page.goto(`${api.origin}/`);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${api.origin}/docs`);
    expect(await page.title()).toBe('API documentation · Waybill');
  });
});
