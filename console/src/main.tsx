import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { createRoot } from 'react-dom/client';
import { makeQueryClient } from './app/query-client.js';
import { makeRouter } from './app/router.js';
import { applyTheme, followOtherTabs } from './preferences/preferences.js';
import './styles/base.css';

/** When the page was loaded again because of a newer build. */
const RELOADED = 'waybill.reloaded';

/** A page that fails again within this time, in milliseconds, is shown as an error. */
const RELOAD_AGAIN_MS = 10_000;

applyTheme();
followOtherTabs();

// A newer build has replaced the parts that this page would load: load the page again, once.
window.addEventListener('vite:preloadError', (event) => {
  const now = Date.now();
  if (now - Number(sessionStorage.getItem(RELOADED)) < RELOAD_AGAIN_MS) return;
  sessionStorage.setItem(RELOADED, String(now));
  event.preventDefault();
  window.location.reload();
});

const client = makeQueryClient();
const router = makeRouter(client);
const element = document.getElementById('console');
if (!element) throw new Error('index.html has no element for the console.');
createRoot(element).render(
  <QueryClientProvider client={client}>
    <RouterProvider router={router} />
  </QueryClientProvider>,
);
