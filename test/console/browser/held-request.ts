import type { Page } from 'playwright-core';

/** A request that a page sends, and that waits before it reaches the service. */
export interface HeldRequest {
  /** Resolves when the page has sent it. */
  readonly sent: Promise<void>;
  /** Lets it reach the service, and those after it. */
  release(): void;
}

/** Holds the requests of a page with this method, and with a path that ends or matches so, until they are released. */
export async function holdRequests(page: Page, method: string, pathEnd: string | RegExp): Promise<HeldRequest> {
  let tell = (): void => undefined;
  let release = (): void => undefined;
  const sent = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(
    ({ pathname }) => (typeof pathEnd === 'string' ? pathname.endsWith(pathEnd) : pathEnd.test(pathname)),
    async (route) => {
      if (route.request().method() === method) {
        tell();
        await released;
      }
      await route.fallback();
    },
  );
  return { sent, release };
}
