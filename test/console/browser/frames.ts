import type { CDPSession, Page } from 'playwright-core';

/** What the browser drew while a page was scrolled. */
export interface Frames {
  readonly drawn: number;
  readonly dropped: number;
}

/** Steps of the mouse wheel, and the pixels of each. */
const STEPS = 60;
const STEP_PX = 300;

/** Time between two steps, in milliseconds: two frames. */
const PAUSE_MS = 33;

/** The category of the trace that has the frames (https://chromedevtools.github.io/devtools-protocol/tot/Tracing). */
const FRAMES = 'devtools.timeline.frame';

interface TraceEvent {
  readonly name: string;
}

/** Scrolls the page down with the mouse wheel, and counts the frames of its trace. */
export async function framesOfScrolling(page: Page): Promise<Frames> {
  await page.evaluate('window.scrollTo(0, 0)');
  await page.mouse.move(400, 400);
  const session = await page.context().newCDPSession(page);
  const traced = traceOf(session);
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: [FRAMES, `disabled-by-default-${FRAMES}`] },
  });
  for (let step = 0; step < STEPS; step += 1) {
    await page.mouse.wheel(0, STEP_PX);
    await page.waitForTimeout(PAUSE_MS);
  }
  await session.send('Tracing.end');
  const names = (await traced).map(({ name }) => name);
  await session.detach();
  return {
    drawn: names.filter((name) => name === 'DrawFrame').length,
    dropped: names.filter((name) => name === 'DroppedFrame').length,
  };
}

/** Returns the share of the frames that were dropped. @throws Error for a trace without frames */
export function shareOfDropped({ drawn, dropped }: Frames): number {
  if (drawn === 0) throw new Error('The trace has no frames.');
  return dropped / (drawn + dropped);
}

/** Returns the events of the trace that is recorded next, when it has ended. */
function traceOf(session: CDPSession): Promise<readonly TraceEvent[]> {
  const events: TraceEvent[] = [];
  session.on('Tracing.dataCollected', ({ value }) => events.push(...(value as unknown as TraceEvent[])));
  return new Promise((resolve) => {
    session.once('Tracing.tracingComplete', () => resolve(events));
  });
}
