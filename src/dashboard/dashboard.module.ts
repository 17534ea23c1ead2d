import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { AccountStore } from '../accounts/account-store.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { Authenticator } from '../accounts/authenticator.js';
import { CONFIG, type Config } from '../config/config.js';
import { QUEUES, type Queues } from '../delivery/queues/queues.js';
import { QueuesModule } from '../delivery/queues/queues.module.js';
import { HttpModule } from '../http/http.module.js';
import { Sessions } from '../http/sessions/sessions.js';
import { SignInThrottle } from '../http/sessions/sign-in-throttle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { registerDashboard, type DashboardOptions } from './dashboard.js';

const OPTIONS = Symbol('DashboardOptions');

/** The queue dashboard under `/dashboard`. */
@Module({
  imports: [QueuesModule, AccountsModule, HttpModule],
  providers: [
    {
      provide: OPTIONS,
      inject: [QUEUES, Authenticator, AccountStore, Sessions, SignInThrottle, CONFIG, LOGGER],
      useFactory: (
        queues: Queues,
        authenticator: Authenticator,
        accounts: AccountStore,
        sessions: Sessions,
        throttle: SignInThrottle,
        config: Config,
        logger: Logger,
      ): DashboardOptions => ({ queues, authenticator, accounts, sessions, throttle, config, logger }),
    },
  ],
})
export class DashboardModule implements OnModuleInit {
  constructor(
    @Inject(HttpAdapterHost) private readonly http: HttpAdapterHost,
    @Inject(OPTIONS) private readonly options: DashboardOptions,
  ) {}

  onModuleInit(): void {
    const fastify: FastifyInstance = this.http.httpAdapter.getInstance();
    registerDashboard(fastify, this.options);
  }
}
