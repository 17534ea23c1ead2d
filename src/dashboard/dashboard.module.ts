import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { AccountsModule } from '../accounts/accounts.module.js';
import { Authenticator } from '../accounts/authenticator.js';
import { CONFIG, type Config } from '../config/config.js';
import { DATABASE, type Database } from '../database/database.js';
import { QUEUES, type Queues } from '../delivery/queues/queues.js';
import { QueuesModule } from '../delivery/queues/queues.module.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { registerDashboard, type DashboardOptions } from './dashboard.js';

const OPTIONS = Symbol('DashboardOptions');

/** The queue dashboard under `/dashboard`. */
@Module({
  imports: [QueuesModule, AccountsModule],
  providers: [
    {
      provide: OPTIONS,
      inject: [QUEUES, Authenticator, DATABASE, CONFIG, LOGGER],
      useFactory: (
        queues: Queues,
        authenticator: Authenticator,
        db: Database,
        config: Config,
        logger: Logger,
      ): DashboardOptions => ({ queues, authenticator, db, config, logger }),
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
