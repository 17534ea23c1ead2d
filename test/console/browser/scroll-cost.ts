import type { CDPSession, Page } from 'playwright-core';

/** Steps of the mouse wheel, and the pixels of each. */
const STEPS = 20;
const STEP_PX = 300;

/** Time between two steps, in milliseconds: two frames. */
const PAUSE_MS = 33;

/** Scrolls and references, of which the fastest of each counts: other work of the machine makes some slower. */
const ROUNDS = 2;

/** Work of a fixed size for the page's thread. */
const REFERENCE = `{
  const item = () => ({ name: 'name', list: [1, 2, 3], text: 'text '.repeat(20) });
  const text = JSON.stringify(Array.from({ length: 2_000 }, item));
  for (let round = 0; round < 100; round += 1) JSON.stringify(JSON.parse(text));
}`;

/**
 * Scrolls the page down with the mouse wheel. Returns the CPU time of the page's thread for a step, as a multiple of
 * that of a reference.
 */
export async function costOfScrolling(page: Page): Promise<number> {
  await page.mouse.move(400, 400);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  let [scrolled, reference] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < ROUNDS; round += 1) {
    await page.evaluate('window.scrollTo(0, 0)');
    scrolled = Math.min(scrolled, await cpuTimeOf(session, () => scrollDown(page)));
    reference = Math.min(reference, await cpuTimeOf(session, () => page.evaluate(REFERENCE)));
  }
  await session.detach();
  return scrolled / STEPS / reference;
}

async function scrollDown(page: Page): Promise<void> {
  for (let step = 0; step < STEPS; step += 1) {
    await page.mouse.wheel(0, STEP_PX);
    await page.waitForTimeout(PAUSE_MS);
  }
}

/** Returns the CPU time that the page's thread needs for some work, in seconds. */
async function cpuTimeOf(session: CDPSession, work: () => Promise<unknown>): Promise<number> {
  const spent = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const before = await spent();
  await work();
  return (await spent()) - before;
}
