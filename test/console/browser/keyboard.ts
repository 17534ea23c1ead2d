import type { Locator, Page } from 'playwright-core';

/** Most elements between two that a person uses one after the other. */
const MOST_TABS = 150;

/**
 * Moves the focus to an element as a person without a mouse does: with Tab only.
 * @throws Error if Tab does not lead there
 */
export async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor();
  let one = await element.elementHandle();
  for (let steps = 0; steps <= MOST_TABS; steps += 1) {
    const where = await one?.evaluate((node) => {
      if (!node.isConnected) return 'gone';
      return node.ownerDocument.activeElement === node ? 'here' : 'elsewhere';
    });
    if (where === 'here') return;
    if (where === 'elsewhere') await page.keyboard.press('Tab');
    // The page has drawn it again.
    else one = await element.elementHandle();
  }
  throw new Error(`Tab does not lead to ${String(element)}.`);
}

/** Moves the focus to a button or a link with Tab, and presses Enter. */
export async function pressByKey(page: Page, element: Locator): Promise<void> {
  await tabTo(page, element);
  await page.keyboard.press('Enter');
}
