import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { mintToken } from '../../../src/accounts/token.js';
import { newId } from '../../../src/ids/id.js';
import { expectAccessible } from './accessibility.js';
import { chromium, ConsoleSite, signInWith } from './console-site.js';
import { pressByKey, tabTo } from './keyboard.js';

/**
 * Returns a function that waits until no request of the page is under way, but for streams. A request of a session that
 * another tab ends would be refused, and the page would ask for a sign-in.
 */
function settling(page: Page): () => Promise<void> {
  const pending = new Set<Request>();
  page.on('request', (request) => {
    if (!request.url().endsWith('/stream')) pending.add(request);
  });
  page.on('requestfinished', (request) => pending.delete(request));
  page.on('requestfailed', (request) => pending.delete(request));
  return () => vi.waitFor(() => expect(pending.size).toBe(0), { timeout: 60_000 });
}

describe.skipIf(chromium === null)('the console in a browser', () => {
  let site: ConsoleSite;
  beforeAll(async () => {
    site = await ConsoleSite.open();
    const { events } = site;
    await events.api.admin.patch((await events.destination()).path, { description: 'Security lake' });
  });
  afterAll(() => site.close());

  test('a person signs in with a key, and comes to the page that was asked for', async () => {
    const page = await site.page({ role: null, path: '/?q=payment' });
    await page.waitForURL(/\/console\/sign-in\?/);
    await signInWith(page, await site.keyOf('operator'));
    expect(new URL(page.url()).search).toBe('?q=payment');
    expect(await page.getByRole('button', { name: /account menu$/ }).textContent()).toContain('operator');
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('a wrong key is refused with the reason and the id of the request', async () => {
    const page = await site.page({ role: null });
    await page.getByLabel('API key').fill(mintToken(newId('ak')));
    await page.getByRole('button', { name: 'Sign in' }).click();
    const text = await page.getByRole('alert').textContent();
    expect(text).toContain('This API key is not valid');
    expect(text).toContain('The API key does not exist or was deleted.');
    expect(text).toMatch(/Operation op_\w+/);
  });

  test('a one-time code signs in once, and disappears from the address', async () => {
    const { body } = await site.events.api.admin.post('/session_codes', undefined);
    const link = String(body.url).replace(/^https?:\/\/[^/]+/, '');
    const first = await site.page({ role: null, path: link.replace('/console', '') });
    await first.getByRole('button', { name: 'Sign in as admin' }).waitFor();
    expect(new URL(first.url()).hash).toBe('');
    await expectAccessible(first);
    await first.getByRole('button', { name: 'Sign in as admin' }).click();
    await first.getByRole('navigation', { name: 'Console' }).waitFor();

    const second = await site.page({ role: null, path: link.replace('/console', '') });
    expect(await second.getByRole('alert').textContent()).toContain('You are not signed in');
    expect(new URL(second.url()).hash).toBe('');
  });

  test('a one-time code of another account, opened by who is signed in, asks first and names both accounts', async () => {
    const { api } = site.events;
    const stranger = await api.addAccount();
    const { body: key } = await stranger.post('/api_keys', { role: 'auditor' });
    const { body } = await api.client(String(key.token)).post('/session_codes', undefined);
    const { body: offered } = await stranger.get('/session');
    const page = await site.page({ role: 'admin' });
    const menu = page.getByRole('button', { name: /account menu$/ });
    expect(await menu.textContent()).toContain('in the account');
    await page.goto(String(body.url).replace(/^https?:\/\/[^/]+\/console/, site.url));
    await page.getByText('Sign in with this address?').waitFor();
    const text = await page.getByRole('main').innerText();
    for (const account of [String(offered.account_id), api.accountId]) expect(text).toContain(account);
    expect(text).toContain('auditor');
    await page.getByRole('button', { name: 'Stay signed in' }).click();
    await page.getByRole('navigation', { name: 'Console' }).waitFor();
    expect(await menu.textContent()).toContain('admin');
    const { body: current } = await api.admin.get('/session');
    expect(await menu.textContent()).toContain(String(current.account_name));
  });

  test('after the sign-in an address leads to no other site', async () => {
    const page = await site.page({ role: null, path: '/sign-in?next=//elsewhere.example/console' });
    await signInWith(page, await site.keyOf('admin'));
    expect(page.url()).toBe(`${site.url}/`);
  });

  test('the queues lead to the sign-in, which leads back, and to a reason for who may not view them', async () => {
    const page = await site.page({ role: null });
    const queues = `${site.events.api.baseUrl}/dashboard/`;
    const enter = async (role: 'admin' | 'auditor') => {
      await page.goto(queues);
      await page.getByLabel('API key').fill(await site.keyOf(role));
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.waitForURL(queues);
    };
    await enter('auditor');
    expect(await page.locator('body').textContent()).toContain('Only an admin of the first account may view them');
    await expectAccessible(page);
    await page.context().clearCookies();
    await enter('admin');
    await page.getByRole('link', { name: 'log_group' }).first().waitFor();
  });

  test('every tab has the session of the browser, and signing out ends it on the server', async () => {
    const page = await site.page();
    const profile = page.context();
    const menu = page.getByRole('button', { name: /account menu$/ });
    const settled = settling(page);
    const other = await profile.newPage();
    await other.goto(`${site.url}/sign-in`);
    await settled();
    await signInWith(other, await site.keyOf('auditor'));
    await menu.getByText('auditor').waitFor();
    await settled();
    // As the form of the API documentation does.
    const data = { token: await site.keyOf('operator') };
    await profile.request.post(`${site.events.api.baseUrl}/session`, { data, headers: { 'service-version': '2' } });
    await page.evaluate("dispatchEvent(new Event('visibilitychange'))");
    await menu.getByText('operator').waitFor();

    const [cookie] = await profile.cookies();
    await menu.click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    await other.getByText('Your session has ended.').waitFor();
    const response = await fetch(`${site.events.api.baseUrl}/session`, {
      headers: { cookie: `${cookie?.name}=${cookie?.value}`, 'service-version': '2' },
    });
    expect(response.status).toBe(401);
  });

  test('a key that is deleted ends the page that shows its account', async () => {
    const { admin } = site.events.api;
    const key = await admin.create('/api_keys', { role: 'auditor' });
    const page = await site.page({ role: null });
    await signInWith(page, String(key.token));
    await page.getByText('Security lake').first().waitFor();
    await admin.delete(key.path);
    await page.getByText('Your session has ended.').waitFor();
    expect(await page.locator('body').textContent()).not.toContain('Security lake');
  });

  test('a publisher is told that the role shows nothing', async () => {
    const page = await site.page({ role: null });
    await page.getByLabel('API key').fill(await site.keyOf('publisher'));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('This key can publish events, and nothing else').waitFor();
    await expectAccessible(page);
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('the keyboard alone opens the palette, finds a command and does it', async () => {
    const page = await site.page();
    await page.getByText('Security lake').first().waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Page or command' }).waitFor();
    await page.keyboard.type('dark');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByRole('searchbox', { name: 'Page or command' }).waitFor({ state: 'detached' });
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark');
    expect(await page.evaluate('getComputedStyle(document.documentElement).colorScheme')).toBe('dark');
  });

  test('times are in UTC and exact everywhere when a person prefers that, and the key is named', async () => {
    const { token } = await site.events.api.admin.create('/api_keys', {
      role: 'auditor',
      description: 'external audit',
    });
    const page = await site.page({ role: null });
    await signInWith(page, String(token));
    const menu = page.getByRole('button', { name: /account menu$/ });
    await menu.getByText('external audit').waitFor();
    await page.getByRole('link', { name: 'Resources', exact: true }).click();
    await page.getByRole('link', { name: 'Event destinations', exact: true }).click();
    const time = page.getByRole('grid').locator('time').first();
    await time.filter({ hasText: /ago|now/ }).waitFor();
    expect(await time.getAttribute('title')).not.toContain('UTC');
    await menu.click();
    await page.getByRole('menuitemradio', { name: 'UTC' }).click();
    await page.keyboard.press('Escape');
    expect(await time.getAttribute('title')).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/);
    await menu.click();
    await page.getByRole('menuitemradio', { name: 'Exact' }).click();
    await page.keyboard.press('Escape');
    await time.filter({ hasText: /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/ }).waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('the first Tab leads to a link that skips the navigation', async () => {
    const page = await site.page();
    await page.reload();
    await page.getByText('Security lake').first().waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement?.textContent')).toBe('Skip to the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement?.id')).toBe('main');
  });

  test('axe-core finds nothing in the open palette and the open menu', async () => {
    const page = await site.page();
    await page.keyboard.press('Control+k');
    await page.getByRole('option').first().waitFor();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /account menu$/ }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await expectAccessible(page);
  });

  test('the keyboard alone signs in, goes to each page of the navigation, and signs out', async () => {
    const page = await site.page({ role: null });
    await tabTo(page, page.getByLabel('API key'));
    await page.keyboard.type(await site.keyOf('auditor'));
    await page.keyboard.press('Enter');
    const navigation = page.getByRole('navigation', { name: 'Console' });
    for (const name of await navigation.getByRole('link').allTextContents()) {
      await pressByKey(page, navigation.getByRole('link', { name, exact: true }));
      await navigation.locator('[aria-current="page"]').getByText(name, { exact: true }).waitFor();
    }
    await pressByKey(page, page.getByRole('button', { name: /account menu$/ }));
    await page.getByRole('menuitem', { name: 'Sign out' }).waitFor();
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await page.getByLabel('API key').waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });
});
