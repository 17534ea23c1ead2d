import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Created } from '../../support/api-client.js';
import { expectAccessible } from './accessibility.js';
import { chromium, ConsoleSite } from './console-site.js';
import { pressByKey } from './keyboard.js';

describe.skipIf(chromium === null)('the browser of resources', () => {
  let site: ConsoleSite;
  let policy: Created;
  let rule: Created;
  let edge: Created;
  let route: Created;
  beforeAll(async () => {
    site = await ConsoleSite.open();
    const { admin } = site.events.api;
    policy = await admin.create('/ip_policies', { description: 'office network', metadata: '{"team":"net"}' });
    rule = await admin.create('/ip_policy_rules', { ip_policy_id: policy.id, cidr: '192.0.2.0/24', action: 'allow' });
    await admin.patch(policy.path, { description: 'office network, second floor' });
    edge = await admin.create('/edges/https', { description: 'shop front' });
    route = await admin.create(`${edge.path}/routes`, {
      match_type: 'path_prefix',
      match: '/api/',
      ip_restriction: { ip_policy_ids: [policy.id] },
      oauth: { provider: { github: { client_id: 'app', client_secret: 'not to be seen' } } },
    });
  });
  afterAll(() => site.close());

  const section = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

  test('lead from the families to a resource, its references both ways, and back', async () => {
    const page = await site.page({ role: 'auditor', path: '/resources' });
    await page.getByRole('link', { name: 'IP policies', exact: true }).click();
    await page.getByRole('link', { name: 'office network, second floor' }).click();
    await pressByKey(page, section(page, 'Referred to by').getByRole('link', { name: rule.id }));
    await page.getByRole('heading', { level: 1, name: '192.0.2.0/24' }).waitFor();
    await pressByKey(page, section(page, 'Refers to').getByRole('link', { name: policy.id }));
    await page.getByRole('heading', { level: 1, name: 'office network, second floor' }).waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('show the history: who did what, and what changed', async () => {
    const page = await site.page({ path: `/resources/ip_policy/${policy.id}` });
    const entries = section(page, 'History').getByRole('listitem').filter({ hasText: 'Event evt_' });
    await entries.nth(1).waitFor();
    const [updated, created] = await entries.allTextContents();
    expect(updated).toContain('updated by admin');
    expect(updated).toContain('description: office network → office network, second floor');
    expect(updated).toMatch(/key ak_/);
    expect(created).toContain('created by admin');
  });

  test('show the modules of a part of an edge, and never a secret', async () => {
    const page = await site.page({ path: `/resources/https_edge/${edge.id}` });
    await section(page, 'Referred to by').getByRole('link', { name: route.id }).click();
    await page.getByRole('heading', { level: 1, name: '/api/' }).waitFor();
    const fields = section(page, 'Fields');
    expect(await fields.getByText('a secret, never shown').count()).toBe(1);
    await section(page, 'Refers to').getByText('ip_restriction.ip_policies').waitFor();
    await section(page, 'Refers to').getByRole('link', { name: edge.id }).waitFor();
    expect(await page.locator('body').textContent()).not.toContain('not to be seen');
  });

  test('are opened by an id, in the page and in the palette, also without the edge of a route', async () => {
    const page = await site.page({ path: '/resources' });
    await page.getByRole('link', { name: 'IP policies', exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('nonsense');
    await page.keyboard.press('Enter');
    await page.getByText('This is not the id of a resource').waitFor();
    await page.getByRole('textbox', { name: 'Id of a resource' }).fill(` ${route.id} `);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: '/api/' }).waitFor();

    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Page or command' }).fill(rule.id);
    await page.getByRole('option', { name: `Open the IP policy rule ${rule.id}` }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: '192.0.2.0/24' }).waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('are found by their names: in the list of a family, and in the palette', async () => {
    const { admin } = site.events.api;
    await admin.create('/ip_policies', { description: 'database access' });
    const page = await site.page({ path: '/resources/ip_policy' });
    await page.getByRole('searchbox', { name: 'Filter the IP policies' }).fill('access data');
    await page.getByText(/^1 of \d+ that were read match, all were read$/).waitFor();
    await page.getByRole('grid').getByRole('link', { name: 'database access' }).waitFor();
    expect(new URL(page.url()).searchParams.get('q')).toBe('access data');

    await page.getByRole('link', { name: 'Resources', exact: true }).first().click();
    await page.getByRole('link', { name: 'API keys', exact: true }).waitFor();
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Page or command' }).fill('access data');
    await page.getByRole('option', { name: /database access/ }).click();
    await page.getByRole('heading', { level: 1, name: 'database access' }).waitFor();

    const destination = await site.events.destination();
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Page or command' }).fill(destination.id);
    await page.getByRole('option', { name: `Open the destination ${destination.id}` }).click();
    await page.waitForURL((url) => url.pathname.endsWith(`/destinations/${destination.id}`));
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('have their names read once for a text that is typed fast, and not for each letter', async () => {
    await site.events.api.admin.create('/ip_policies', { description: 'typed fast' });
    const page = await site.page({ path: '/resources/ip_policy' });
    await page.getByRole('grid').getByRole('link', { name: 'typed fast' }).waitFor();
    await page.clock.install();
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Overview' }).first().waitFor();
    const read: string[] = [];
    page.on('request', (request) => {
      const { pathname, searchParams } = new URL(request.url());
      if (searchParams.get('limit') === '100' && !pathname.endsWith('/status')) read.push(pathname);
    });
    await page.clock.pauseAt(Date.now() + 60_000);
    for (const letter of 'typed f') await page.keyboard.type(letter);
    expect(read).toEqual([]);
    await page.clock.runFor(1_000);
    await page.clock.resume();
    await page.getByRole('option', { name: /typed fast/ }).waitFor();
    expect(read).toContain('/bot_users');
    await page.keyboard.type('ast');
    await page.getByRole('option', { name: /typed fast/ }).waitFor();
    expect(read.toSorted()).toEqual([...new Set(read)].toSorted());
  });

  test('show the events of what refers to one, also after its deletion', async () => {
    const { admin } = site.events.api;
    const owner = await admin.create('/ip_policies', { description: 'of a deleted rule' });
    const gone = await admin.create('/ip_policy_rules', {
      ip_policy_id: owner.id,
      cidr: '198.51.100.0/24',
      action: 'deny',
    });
    await admin.delete(gone.path);
    const page = await site.page({ role: 'auditor', path: `/resources/ip_policy/${owner.id}` });
    await page.getByRole('button', { name: 'Look for these events' }).click();
    const found = section(page, 'Events of what refers to it');
    await found.getByText(/^2 found\. All \d+ events of .*IP policy rules/).waitFor();
    await expectAccessible(page);
    await found.getByRole('link', { name: gone.id }).first().click();
    await page.getByRole('heading', { level: 1, name: 'Deleted IP policy rule' }).waitFor();
    const json = page.getByRole('region', { name: 'JSON of the last known state' });
    await json.getByRole('link', { name: owner.id }).click();
    await page.getByRole('heading', { level: 1, name: 'of a deleted rule' }).waitFor();
  });

  test('show what a deleted resource was, and say when there is none', async () => {
    const { admin } = site.events.api;
    const gone = await admin.create('/ip_policies', { description: 'of last year' });
    await admin.delete(gone.path);
    const page = await site.page({ path: `/resources/ip_policy/${gone.id}` });
    await page.getByRole('heading', { level: 1, name: 'Deleted IP policy' }).waitFor();
    expect(await section(page, 'Last known state').textContent()).toContain('of last year');
    await section(page, 'History').getByText('deleted').waitFor();
    await expectAccessible(page);

    await page.goto(`${site.url}/resources/ip_policy/${gone.id.replace(/.{6}$/, '000000')}`);
    await page.getByRole('heading', { name: 'No such IP policy' }).waitFor();
    await page.goto(`${site.url}/resources/nothing`);
    await page.getByText('The console has no page at this address').waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('read a long list to its end, by keyboard', async () => {
    const { admin } = site.events.api;
    const names = Array.from({ length: 120 }, (_, index) => `list ${index + 1}`);
    for (const description of names) await admin.create('/backends/http_response', { description });
    const page = await site.page({ path: '/resources/http_response_backend' });
    await page.getByText('100 shown, newest first; scroll for more').waitFor();
    await page.getByRole('row', { name: /list 120/ }).focus();
    await page.keyboard.press('End');
    await page.getByText('120 shown, newest first', { exact: true }).waitFor();
    await page.keyboard.press('End');
    await page.getByRole('row', { name: /list 1 / }).waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'list 1', exact: true }).waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('list the parts of another one', async () => {
    const page = await site.page({ path: `/resources/https_edge_route?parent=${edge.id}` });
    await page.getByRole('link', { name: '/api/' }).waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });

  test('lead from the history to an event and to the key that made it, by mouse', async () => {
    const page = await site.page({ path: `/resources/ip_policy/${policy.id}` });
    await section(page, 'History').getByRole('link', { name: /^ak_/ }).first().click();
    await page.getByRole('link', { name: 'API keys' }).waitFor();
    await page.goBack();
    await section(page, 'History').getByRole('link', { name: /^evt_/ }).last().click();
    await page.getByRole('heading', { level: 1, name: 'ip_policy_created.v0' }).waitFor();
    await page.getByRole('link', { name: 'Back to the search' }).click();
    await page.getByText('2 events, all that match').waitFor();
    expect(site.complaintsOf(page)).toEqual([]);
  });
});
