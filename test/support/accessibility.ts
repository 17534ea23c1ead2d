import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults, ImpactValue, RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/**
 * The rules that look at colours. A page with two themes has the same elements in both: the other rules find the same
 * in the second theme as in the first one.
 */
export const RULES_OF_COLOURS: readonly string[] = ['color-contrast', 'link-in-text-block'];

/** Which findings count. */
export interface Counted {
  /** Only findings of these impacts. */
  readonly impacts?: readonly ImpactValue[];
  /** Only findings of these rules, or of rules with these tags (https://dequeuniversity.com/rules/axe). */
  readonly rules?: readonly string[];
}

/**
 * Ends every transition of the page, and every animation that has an end: axe-core would see colours that are half
 * done. The end of one may begin another one, of an element inside.
 */
export async function endTransitions(page: Page): Promise<void> {
  await page.evaluate(`(async () => {
    for (;;) {
      const moving = document.getAnimations().filter(({ playState, effect }) =>
        playState === 'running' && effect && effect.getComputedTiming().endTime !== Infinity);
      if (moving.length === 0) break;
      for (const animation of moving) animation.finish();
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  })()`);
}

/** Checks the page in a browser with axe-core. Returns each element that breaks a rule, with the rule. */
export async function findings(page: Page, { impacts, rules }: Counted = {}): Promise<readonly string[]> {
  await endTransitions(page);
  // Not as a script element, which the content policy of the page forbids.
  // The last value of a script is sent back: none.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(`${source};undefined`);
  const options: RunOptions = {
    // What passes is not described.
    resultTypes: ['violations'],
    ...(rules && { runOnly: [...rules] }),
  };
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(options)})`);
  return violations
    .filter(({ impact }) => impacts?.includes(impact ?? null) ?? true)
    .flatMap(({ id, impact, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id} (${impact}): ${html}\n${failureSummary ?? ''}`),
    );
}
