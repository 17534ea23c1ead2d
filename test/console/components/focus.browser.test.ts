import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from '../browser/accessibility.js';
import { chromium } from '../browser/console-site.js';
import { openRecorded, type Responses } from './recorded-console.js';
import { eventOf, exportOf, idOf, listOf, statusOf } from './recorded-resources.js';

const NOW = '2026-11-20T08:00:00.000Z';
const principal = { id: idOf('usr', 1), subject: 'Grace', credential_id: null };
const paused = { reason: 'The index is rebuilt.', since: NOW, principal };
const muted = { reason: 'See OPS-512.', until: '2126-12-01T08:00:00.000Z', since: NOW, principal };
const alpha = statusOf(1, { description: 'Alpha' });

/** Responses of one destination that keeps what a change says of its pause and its mute. */
function changing(before: Partial<typeof alpha>): Responses {
  let now = { ...alpha, ...before };
  return {
    'GET /event_destinations/status': () => listOf('statuses', [now]),
    'GET /event_destinations/metrics': { destinations: [] },
    'GET /event_subscriptions': listOf('event_subscriptions'),
    'GET /service': { version: '0.1.0', queue_backend: 'postgres', workers: [] },
    [`PATCH /event_destinations/${alpha.id}`]: (body) => {
      const { paused: pause = now.paused, muted: mute = now.muted } = body as Partial<typeof alpha>;
      now = { ...now, paused: pause && paused, muted: mute && muted, status: pause ? 'paused' : 'healthy' };
      return { id: alpha.id };
    },
  };
}

/** Returns the name or the text of what has the focus. */
function focused(page: Page): Promise<string> {
  return page.evaluate(
    'document.activeElement.ariaLabel ?? `${document.activeElement.localName} ${document.activeElement.textContent}`',
  );
}

describe.skipIf(chromium === null)('what an action changed can be undone', () => {
  const { reason } = paused;
  test.each([
    ['Pause', {}, { paused: { reason: 'test' } }, { paused: null }],
    ['Resume', { paused, status: 'paused' as const }, { paused: null }, { paused: { reason } }],
    ['Unmute', { muted }, { muted: null }, { muted: { reason: muted.reason, until: muted.until } }],
  ])('%s, with the reason and the end of before', async (name, before, done, undone) => {
    const { page, changes, complaints } = await openRecorded('/', changing(before));
    await page.getByRole('checkbox', { name: 'Select Alpha' }).click();
    const action = page.getByRole('group', { name: 'Actions for many' }).getByRole('button', { name, exact: true });
    await action.click();
    const dialog = page.getByRole('dialog', { name: `${name} Alpha` });
    await dialog.waitFor();
    if (name === 'Pause') await dialog.getByLabel('Reason').fill('test');
    await dialog.getByRole('button', { name, exact: true }).click();
    await dialog.getByRole('button', { name: 'Close' }).and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 of 1 destination restored.').waitFor();
    // The dialogs of the three differ in words only.
    if (name === 'Pause') await expectAccessible(page);
    await page.getByRole('button', { name: 'Close' }).and(page.locator(':focus')).click();
    await action.and(page.locator(':focus')).waitFor();
    expect(changes.map(({ body }) => body)).toEqual([done, undone]);
    expect(complaints).toEqual([]);
  });

  test('from the palette, which gives the focus back to what had it before', async () => {
    const { page, changes } = await openRecorded('/', changing({ muted }));
    const row = page.getByRole('grid').locator('[data-index="0"]');
    await row.focus();
    await page.keyboard.press('Control+k');
    await page.getByRole('searchbox', { name: 'Page or command' }).fill('unmute alpha');
    await page.getByRole('option', { name: 'Unmute Alpha' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unmute' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('1 of 1 destination restored.').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await row.and(page.locator(':focus')).waitFor();
    expect(changes).toHaveLength(2);
  });
});

describe.skipIf(chromium === null)('the focus after an action of the mouse', () => {
  test('is on the next row after the deletion of one, and on the page after that of the last one', async () => {
    const ids = [2, 1].map((number) => idOf('exp', number));
    let rest = ids;
    const { page } = await openRecorded('/exports', {
      'GET /exports': () =>
        listOf(
          'exports',
          rest.map((id) => exportOf({ id })),
        ),
      ...Object.fromEntries(
        ids.map((id) => [
          `DELETE /exports/${id}`,
          () => {
            rest = rest.filter((one) => one !== id);
            return {};
          },
        ]),
      ),
    });
    for (const [index, id] of ids.entries()) {
      await page.getByRole('button', { name: `Delete the export ${id}` }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await page.locator(index === 0 ? '[data-index="0"]:focus' : '#main:focus').waitFor();
      expect(rest).toHaveLength(1 - index);
    }
  });

  test('is on the other filter, then on the field, when filters are removed', async () => {
    const { page } = await openRecorded('/events?ip=192.0.2.1&text=lake', {
      'GET /events': listOf('events', [eventOf(1)]),
      'GET /event_types': listOf('event_types'),
    });
    const filters = page.getByRole('group', { name: 'Filters that are set' });
    const chips = filters.getByRole('button', { name: /^Remove the filter/ });
    await chips.nth(1).waitFor();
    const [first] = await chips.allTextContents();
    await chips.nth(1).click();
    await expect.poll(() => focused(page)).toBe(`button ${first}`);
    await chips.click();
    await expect.poll(() => focused(page)).toBe('Add a filter');
  });

  test('is on the button that saves a view, when the form is closed and when the only view is deleted', async () => {
    const { page } = await openRecorded('/events', {
      'GET /events': listOf('events', [eventOf(1)]),
      'GET /event_types': listOf('event_types'),
    });
    const save = page.getByRole('button', { name: 'Save this view' });
    await save.click();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await save.and(page.locator(':focus')).waitFor();
    await save.click();
    await page.getByLabel('Name of the view').fill('Mine');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'Mine' }).and(page.locator(':focus')).waitFor();
    await page.getByRole('button', { name: 'Delete the view Mine' }).click();
    await save.and(page.locator(':focus')).waitFor();
    expect(await page.getByRole('link', { name: 'Mine' }).count()).toBe(0);
  });
});
