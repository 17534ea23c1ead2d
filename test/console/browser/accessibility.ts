import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { endTransitions, findings, RULES_OF_COLOURS } from '../../support/accessibility.js';

/** The themes of the console. */
export const themes = ['light', 'dark'] as const;
/** A theme of the console. */
export type Theme = (typeof themes)[number];

/** The rules of WCAG 2.2 AA, and what axe-core calls best practice. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Shows the page as a person sees it whose system has the theme. */
export async function showTheme(page: Page, theme: Theme): Promise<void> {
  // Without motion: axe-core would see a colour that changes.
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  await endTransitions(page);
}

/** Fails unless axe-core finds nothing in the page, in both themes. Scrolls to its top. */
export async function expectAccessible(page: Page): Promise<void> {
  // A control that the header covers in part would be too small a target.
  await page.evaluate('scrollTo(0, 0)');
  for (const theme of themes) {
    await showTheme(page, theme);
    expect(await axeFindings(page, theme), `${page.url()} in the ${theme} theme`).toEqual([]);
  }
}

/**
 * Runs axe-core in the page: all rules in the light theme, and those that look at colours in the dark one.
 * @param theme the theme that the page shows
 */
export function axeFindings(page: Page, theme: Theme): Promise<readonly string[]> {
  return findings(page, { rules: theme === 'light' ? tags : RULES_OF_COLOURS });
}
