import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { jobName } from '../../../src/delivery/queues/job.js';
import { newId } from '../../../src/ids/id.js';
import { targetKinds } from '../../../src/targets/target.js';
import { openDashboard, type DashboardServer } from '../../dashboard/dashboard-server.js';
import { findings, RULES_OF_COLOURS } from '../../support/accessibility.js';
import { describeOnEveryBackend } from '../../support/redis.js';
import { findChromium, sharedChromium, WAIT_MS } from './chromium.js';

const executablePath = findChromium();

describe.skipIf(executablePath === null)('the dashboard in a browser', () => {
  describeOnEveryBackend('over the queues', (backend) => {
    const batch = {
      destinationId: newId('ed'),
      batchId: newId('bat'),
      events: [
        { id: newId('evt'), type: 'ip_policy_created.v0', sequence: 41 },
        { id: newId('evt'), type: 'ip_policy_rule_updated.v0', sequence: 42 },
      ],
    };
    let dashboard: DashboardServer;
    let context: BrowserContext;
    let address = '';
    let page: Page;
    /** What the page's own policy refused, and what its scripts threw. */
    let complaints: string[] = [];

    beforeAll(async () => {
      dashboard = await openDashboard(backend);
      context = await (await sharedChromium(executablePath ?? '')).newContext({ locale: 'en-US' });
      context.setDefaultTimeout(WAIT_MS);
      address = `${dashboard.url}/dashboard`;
      await dashboard.queues.queue('log_group').add(jobName(batch.events), batch, { jobId: 'batch-41' });
    });
    afterAll(async () => {
      await context.close();
      await dashboard.close();
    });

    beforeEach(async () => {
      await context.clearCookies();
      await Promise.all(context.pages().map((open) => open.close()));
      page = await context.newPage();
      complaints = [];
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (line) => {
        if (line.type() === 'error') complaints.push(line.text());
      });
    });

    /** Begins a session of the admin, and opens the dashboard. */
    async function signIn(): Promise<void> {
      await context.request.post(`${dashboard.url}/session`, {
        data: { token: dashboard.adminKey },
        headers: { 'service-version': '2' },
      });
      await page.goto(`${address}/`);
    }

    test('an admin sees every queue, and opens a job that shows its typed events and offers no change', async () => {
      await signIn();
      for (const kind of targetKinds) {
        await page.getByRole('link', { name: kind }).first().waitFor();
      }

      await page.getByRole('link', { name: 'log_group' }).first().click();
      await page.getByRole('link', { name: 'mixed' }).first().waitFor();
      const buttons = await page
        .getByRole('button')
        .evaluateAll((all) => all.map((button) => `${button.textContent} ${button.title} ${button.ariaLabel}`));
      expect(buttons.filter((text) => /retry|clean|remove|delete|promote|pause|add|obliterate/i.test(text))).toEqual(
        [],
      );
      await page.getByRole('link', { name: 'mixed' }).first().click();
      await page.getByText('ip_policy_created.v0').first().waitFor();
      const shown = await page.locator('body').textContent();
      for (const { id, type, sequence } of batch.events) {
        expect(shown).toContain(`${type} ${id} sequence ${sequence}`);
      }
      expect(shown).toContain(batch.destinationId);
      expect(complaints).toEqual([]);
    });

    // The backends differ in one dialog.
    test.each([backend.name === 'redis' ? 'dark' : 'light'] as const)(
      'has no serious fault of accessibility in the %s theme',
      async (colorScheme) => {
        await page.emulateMedia({ colorScheme });
        await signIn();
        const serious = (rules?: readonly string[]) =>
          findings(page, { impacts: ['serious', 'critical'], ...(rules && { rules }) });
        // The pages have the same elements over both backends.
        const rules = backend.name === 'redis' ? RULES_OF_COLOURS : undefined;
        const details = backend.name === 'redis' ? 'Redis details' : 'PostgreSQL details';
        const buttons = page.locator('header').getByRole('button');
        await page.getByRole('link', { name: 'log_group' }).first().waitFor();
        expect(await serious(rules)).toEqual([]);
        for (const name of [details, 'Full screen', 'Settings', 'Other pages'])
          expect(await buttons.and(page.getByRole('button', { name })).count(), name).toBe(1);
        await buttons.and(page.getByRole('button', { name: 'Other pages' })).click();
        expect(await page.getByRole('menuitem', { name: 'Console' }).getAttribute('href')).toBe('/console');
        await page.goto(`${address}/`);

        for (const name of [details, 'Settings']) {
          await buttons.and(page.getByRole('button', { name })).click();
          const dialog = page.getByRole('dialog');
          await dialog.waitFor();
          expect(await serious(name === details ? undefined : rules), name).toEqual([]);
          // A dialog that is opened while another one closes would be closed with it.
          await page.goto(`${address}/`);
        }

        await page.goto(`${address}/queue/log_group`);
        await page.getByText('ip_policy_created.v0').first().waitFor();
        expect(await serious(rules)).toEqual([]);
        await page.goto(`${address}/queue/log_group/batch-41`);
        await page.getByText('ip_policy_created.v0').first().waitFor();
        expect(await serious(rules)).toEqual([]);
        await page.setViewportSize({ width: 390, height: 800 });
        await page.goto(`${address}/`);
        await page.getByRole('link', { name: 'log_group' }).first().waitFor();
        expect(await serious(rules)).toEqual([]);
        expect(complaints).toEqual([]);
      },
    );
  });
});
