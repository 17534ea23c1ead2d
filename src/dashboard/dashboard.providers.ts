import { AccountStore } from '../accounts/account-store.js';
import { Authenticator } from '../accounts/authenticator.js';
import { CONFIG } from '../config/config.js';
import { QUEUES } from '../delivery/queues/queues.js';
import { RATE_ENFORCER } from '../http/rate-limit/enforce.js';
import { GuessLimit } from '../http/rate-limit/guess-limit.js';
import type { AddRoutes } from '../http/server/added-routes.js';
import { Sessions } from '../http/sessions/sessions.js';
import { provide, tokenOf } from '../lifecycle/provide.js';
import { LOGGER } from '../logging/logger.js';
import { registerDashboard } from './dashboard.js';

/** The injection token of what adds the queue dashboard under `/dashboard`. */
export const DASHBOARD_ROUTES = tokenOf<AddRoutes>('DashboardRoutes');

/** The queue dashboard. */
export const dashboardProviders = [
  provide(
    DASHBOARD_ROUTES,
    {
      queues: QUEUES,
      authenticator: Authenticator,
      accounts: AccountStore,
      sessions: Sessions,
      guesses: GuessLimit,
      rates: RATE_ENFORCER,
      config: CONFIG,
      logger: LOGGER,
    },
    (options) => (server) => registerDashboard(server, options),
  ),
];
