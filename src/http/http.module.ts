import { Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE, HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { AccountsModule } from '../accounts/accounts.module.js';
import { Authenticator } from '../accounts/authenticator.js';
import { SessionStore } from '../accounts/session-store.js';
import { CONFIG, type Config } from '../config/config.js';
import { DATABASE, type Database } from '../database/database.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { KeyRing } from '../secrets/key-ring.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { HealthController } from './health/health.controller.js';
import { IdempotencyStore } from './idempotency/idempotency-store.js';
import { Idempotency } from './idempotency/idempotency.js';
import { QueryGuard } from './input/query-guard.js';
import { SchemaPipe } from './input/validation.js';
import { ProblemFilter } from './problems/problem-filter.js';
import { RATE_ENFORCER, RateEnforcer } from './rate-limit/enforce.js';
import { EVENT_BUDGET, EventBudget } from './rate-limit/event-budget.js';
import { GuessLimit } from './rate-limit/guess-limit.js';
import { openRateLimiter } from './rate-limit/open-rate-limiter.js';
import type { RateLimiter } from './rate-limit/rate-limiter.js';
import { eventRate, requestRates } from './rate-limit/request-rates.js';
import { BaseUrl } from './request/base-url.js';
import { REQUEST_OBSERVER, type RequestObserver } from './request/request-observer.js';
import { Admission } from './server/admission.js';
import { HOOK_SERVICES, type HookServices } from './server/request-hooks.js';
import { RouteTable } from './server/route-table.js';
import { SessionCookie } from './sessions/session-cookie.js';
import { Sessions } from './sessions/sessions.js';
import { SignInThrottle } from './sessions/sign-in-throttle.js';

const RATE_LIMITER = Symbol('RateLimiter');

/** What all routes share, and the routes of the process's health. */
@Module({
  imports: [AccountsModule, SecretsModule],
  controllers: [HealthController],
  providers: [
    RouteTable,
    {
      provide: BaseUrl,
      inject: [CONFIG, HttpAdapterHost],
      useFactory: (config: Config, { httpAdapter }: HttpAdapterHost<FastifyAdapter>) =>
        new BaseUrl(config, () => httpAdapter.getHttpServer().address()),
    },
    {
      provide: RATE_LIMITER,
      inject: [CONFIG, LOGGER, Lifecycle],
      useFactory: (config: Config, logger: Logger, lifecycle: Lifecycle) =>
        lifecycle.open(
          'queues',
          () => openRateLimiter(config, logger),
          (limiter) => limiter?.close(),
        ),
    },
    {
      provide: GuessLimit,
      inject: [CONFIG, LOGGER],
      useFactory: (config: Config, logger: Logger) => new GuessLimit(config.UNKNOWN_KEYS_PER_MINUTE, logger),
    },
    {
      provide: RATE_ENFORCER,
      inject: [CONFIG, RATE_LIMITER],
      useFactory: (config: Config, limiter: RateLimiter | null) => {
        const limits = requestRates(config);
        return limiter && limits.length > 0 ? new RateEnforcer(limiter, limits) : null;
      },
    },
    {
      provide: Sessions,
      inject: [SessionStore, Authenticator, CONFIG, GuessLimit],
      useFactory: (
        store: SessionStore,
        authenticator: Authenticator,
        { PUBLIC_URL: publicUrl }: Config,
        guesses: GuessLimit,
      ) => new Sessions(store, authenticator, new SessionCookie(publicUrl?.startsWith('https:') === true), guesses),
    },
    SignInThrottle,
    {
      provide: HOOK_SERVICES,
      inject: [CONFIG, LOGGER, DATABASE, KeyRing, Authenticator, Sessions, GuessLimit, RATE_ENFORCER, REQUEST_OBSERVER],
      useFactory: (
        config: Config,
        logger: Logger,
        db: Database,
        keyRing: KeyRing,
        authenticator: Authenticator,
        sessions: Sessions,
        guesses: GuessLimit,
        rates: RateEnforcer | null,
        observer: RequestObserver | null,
      ): HookServices => {
        const idempotency = new Idempotency(new IdempotencyStore(db, keyRing), logger);
        const admission = new Admission(config);
        return { config, logger, authenticator, sessions, guesses, rates, admission, idempotency, observer };
      },
    },
    {
      provide: EVENT_BUDGET,
      inject: [CONFIG, RATE_LIMITER],
      useFactory: (config: Config, limiter: RateLimiter | null) => {
        const perMinute = eventRate(config);
        return limiter && perMinute > 0 ? new EventBudget(limiter, perMinute) : null;
      },
    },
    {
      provide: APP_FILTER,
      inject: [LOGGER, RouteTable],
      useFactory: (logger: Logger, routes: RouteTable) => new ProblemFilter(logger, routes),
    },
    { provide: APP_GUARD, useClass: QueryGuard },
    { provide: APP_PIPE, useClass: SchemaPipe },
  ],
  exports: [BaseUrl, GuessLimit, RATE_ENFORCER, Sessions, SignInThrottle, EVENT_BUDGET],
})
export class HttpModule {}
