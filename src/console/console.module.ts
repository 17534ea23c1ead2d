import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { AccountStore } from '../accounts/account-store.js';
import { AccountsModule } from '../accounts/accounts.module.js';
import { Authenticator } from '../accounts/authenticator.js';
import { SessionCodeStore } from '../accounts/session-code-store.js';
import { DATABASE, type Database } from '../database/database.js';
import { QueuesModule } from '../delivery/queues/queues.module.js';
import { WorkerListStore } from '../delivery/recovery/worker-list-store.js';
import { HttpModule } from '../http/http.module.js';
import { RATE_ENFORCER, type RateEnforcer } from '../http/rate-limit/enforce.js';
import { Sessions } from '../http/sessions/sessions.js';
import { SignInThrottle } from '../http/sessions/sign-in-throttle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { builtConsole, registerConsole } from './console-files.js';
import { ServiceController } from './service.controller.js';
import { SessionCodesController } from './session-codes.controller.js';
import { SessionCodes } from './session-codes.js';
import { SessionController } from './session.controller.js';
import { SignIn } from './sign-in.js';

/** The console under `/console`, and the routes of its sign-in. */
@Module({
  imports: [AccountsModule, HttpModule, QueuesModule],
  controllers: [SessionController, SessionCodesController, ServiceController],
  providers: [
    {
      provide: SignIn,
      inject: [Authenticator, AccountStore, Sessions, SessionCodeStore, SignInThrottle, RATE_ENFORCER, LOGGER],
      useFactory: (
        authenticator: Authenticator,
        accounts: AccountStore,
        sessions: Sessions,
        codes: SessionCodeStore,
        throttle: SignInThrottle,
        rates: RateEnforcer | null,
        logger: Logger,
      ) => new SignIn({ authenticator, accounts, sessions, codes, throttle, rates, logger }),
    },
    { provide: SessionCodes, inject: [DATABASE], useFactory: (db: Database) => new SessionCodes(db) },
    { provide: WorkerListStore, inject: [DATABASE], useFactory: (db: Database) => new WorkerListStore(db) },
  ],
})
export class ConsoleModule implements OnModuleInit {
  constructor(
    @Inject(HttpAdapterHost) private readonly http: HttpAdapterHost,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const fastify: FastifyInstance = this.http.httpAdapter.getInstance();
    registerConsole(fastify, builtConsole, this.logger);
  }
}
