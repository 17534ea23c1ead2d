import { MutationCache, notifyManager, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { isSignedOut } from './api/problem.js';
import { isRepeated } from './api/retries.js';
import { forgetSession } from './api/session.js';
import { makeRouter } from './app/router.js';
import { followTheme } from './preferences/preferences.js';
import './styles/base.css';

/** When the page was loaded again because of a newer build. */
const RELOADED = 'waybill.reloaded';

/** A page that fails again within this time, in milliseconds, is shown as an error. */
const RELOAD_AGAIN_MS = 10_000;

followTheme();

// A button is inert before the next event: with the default, a second press within a few milliseconds would send twice.
notifyManager.setScheduler(queueMicrotask);

// A newer build has replaced the parts that this page would load: load the page again, once.
window.addEventListener('vite:preloadError', (event) => {
  const now = Date.now();
  if (now - Number(sessionStorage.getItem(RELOADED)) < RELOAD_AGAIN_MS) return;
  sessionStorage.setItem(RELOADED, String(now));
  event.preventDefault();
  window.location.reload();
});

const queryClient = makeQueryClient();
const router = makeRouter(queryClient);
const element = document.getElementById('console');
if (!element) throw new Error('index.html has no element for the console.');
createRoot(element).render(
  <QueryClientProvider client={queryClient}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
);

/** Makes the cache of what was read. The end of the session, seen by any request, empties it. */
function makeQueryClient(): QueryClient {
  const onError = (error: unknown): void => {
    if (isSignedOut(error)) forgetSession(client);
  };
  const client = new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: isRepeated,
      },
      // A change without a network fails at once. It would wait without a word otherwise.
      mutations: { networkMode: 'always' },
    },
  });
  return client;
}
