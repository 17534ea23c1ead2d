import { setTimeout as sleep } from 'node:timers/promises';
import type { ApiClient } from '../../harness/api-client.js';

/** Time for an API to recover from a fault. */
const TIMEOUT_MS = 300_000;

/** Yields every page of a list. */
export async function* pagesOf(api: ApiClient, first: string): AsyncGenerator<Readonly<Record<string, unknown>>> {
  for (let path: string | null = first; path !== null;) {
    const page = await getWithRetry(api, path);
    yield page;
    const next = typeof page.next_page_uri === 'string' ? new URL(page.next_page_uri) : null;
    path = next && `${next.pathname}${next.search}`;
  }
}

async function getWithRetry(api: ApiClient, path: string): Promise<Readonly<Record<string, unknown>>> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    try {
      return (await api.send('GET', path)).body;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(500);
    }
  }
}
