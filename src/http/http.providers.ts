import { APP_FILTER, APP_GUARD, APP_PIPE, HttpAdapterHost } from '@nestjs/core';
import { Authenticator } from '../accounts/authenticator.js';
import { SessionStore } from '../accounts/session-store.js';
import { CONFIG } from '../config/config.js';
import { DATABASE } from '../database/database.js';
import { opened } from '../lifecycle/lifecycle.js';
import { provide, tokenOf } from '../lifecycle/provide.js';
import { LOGGER } from '../logging/logger.js';
import type { MaintenanceTask } from '../maintenance/maintenance.js';
import { rowPruning } from '../maintenance/row-pruning.js';
import { KeyRing } from '../secrets/key-ring.js';
import { HealthController } from './health/health.controller.js';
import { deleteExpiredKeys, IdempotencyStore } from './idempotency/idempotency-store.js';
import { Idempotency } from './idempotency/idempotency.js';
import { QueryGuard } from './input/query-guard.js';
import { SchemaPipe } from './input/validation.js';
import { ProblemFilter } from './problems/problem-filter.js';
import { RATE_ENFORCER, RateEnforcer } from './rate-limit/enforce.js';
import { GuessLimit } from './rate-limit/guess-limit.js';
import { openRateLimiter } from './rate-limit/open-rate-limiter.js';
import type { RateLimiter } from './rate-limit/rate-limiter.js';
import { eventRate, requestRates } from './rate-limit/request-rates.js';
import { BaseUrl } from './request/base-url.js';
import { REQUEST_OBSERVER } from './request/request-observer.js';
import { Admission } from './server/admission.js';
import { HOOK_SERVICES } from './server/request-hooks.js';
import { RouteTable } from './server/route-table.js';
import { LogLinks } from './sessions/log-links.js';
import { Sessions } from './sessions/sessions.js';

/** The injection token of the task that deletes idempotency keys whose responses are no longer kept. */
export const IDEMPOTENCY_PRUNING = tokenOf<MaintenanceTask>('IdempotencyPruning');
const RATE_LIMITER = tokenOf<RateLimiter | null>('RateLimiter');

/** The routes of the health of a process. */
export const httpControllers = [HealthController];

/** What all routes share. */
export const httpProviders = [
  provide(RouteTable, []),
  provide(
    BaseUrl,
    [CONFIG, HttpAdapterHost],
    (config, { httpAdapter }) => new BaseUrl(config, () => httpAdapter.getHttpServer().address()),
  ),
  opened('queues', provide(RATE_LIMITER, [CONFIG, LOGGER], openRateLimiter), (limiter) => limiter?.close()),
  provide(
    GuessLimit,
    [CONFIG, LOGGER],
    ({ UNKNOWN_KEYS_PER_MINUTE: perMinute }, logger) => new GuessLimit(perMinute, logger),
  ),
  provide(
    RATE_ENFORCER,
    [CONFIG, RATE_LIMITER],
    (config, limiter) => limiter && new RateEnforcer(limiter, requestRates(config), eventRate(config)),
  ),
  provide(Sessions, [SessionStore, Authenticator, GuessLimit, CONFIG]),
  provide(LogLinks, [KeyRing, Authenticator]),
  provide(IdempotencyStore, [DATABASE, KeyRing]),
  provide(Idempotency, [IdempotencyStore, LOGGER]),
  provide(IDEMPOTENCY_PRUNING, [DATABASE, LOGGER], (db, logger) =>
    rowPruning('prune_idempotency_keys', 'pruned idempotency keys', logger, (size) => deleteExpiredKeys(db, size)),
  ),
  provide(Admission, [CONFIG]),
  provide(
    HOOK_SERVICES,
    {
      config: CONFIG,
      logger: LOGGER,
      authenticator: Authenticator,
      sessions: Sessions,
      links: LogLinks,
      guesses: GuessLimit,
      rates: RATE_ENFORCER,
      admission: Admission,
      idempotency: Idempotency,
      observer: REQUEST_OBSERVER,
    },
    (services) => services,
  ),
  provide(ProblemFilter, [LOGGER, RouteTable]),
  { provide: APP_FILTER, useExisting: ProblemFilter },
  { provide: APP_GUARD, useClass: QueryGuard },
  { provide: APP_PIPE, useClass: SchemaPipe },
];
