import type { Locator, Page } from 'playwright-core';

/** Most elements between two that a person uses one after the other. */
const MOST_TABS = 150;

/**
 * Moves the focus to an element as a person without a mouse does: with Tab only.
 * @throws Error if Tab does not lead there
 */
export async function tabTo(page: Page, element: Locator): Promise<void> {
  await element.waitFor();
  for (let tabs = 0; tabs <= MOST_TABS; tabs += 1) {
    if (await element.evaluate((one) => one === Reflect.get(globalThis, 'document').activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`Tab does not lead to ${String(element)}.`);
}

/** Moves the focus to a button or a link with Tab, and presses Enter. */
export async function pressByKey(page: Page, element: Locator): Promise<void> {
  await tabTo(page, element);
  await page.keyboard.press('Enter');
}
