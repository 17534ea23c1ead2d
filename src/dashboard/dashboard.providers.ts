import { AccountStore } from '../accounts/account-store.js';
import { CONFIG } from '../config/config.js';
import { QUEUES } from '../delivery/queues/queues.js';
import type { AddRoutes } from '../http/server/added-routes.js';
import { Sessions } from '../http/sessions/sessions.js';
import { provide, tokenOf } from '../lifecycle/provide.js';
import { registerDashboard } from './dashboard.js';

/** The injection token of what adds the queue dashboard under `/dashboard`. */
export const DASHBOARD_ROUTES = tokenOf<AddRoutes>('DashboardRoutes');

/** The queue dashboard. */
export const dashboardProviders = [
  provide(
    DASHBOARD_ROUTES,
    {
      queues: QUEUES,
      accounts: AccountStore,
      sessions: Sessions,
      config: CONFIG,
    },
    (options) => (server) => registerDashboard(server, options),
  ),
];
