import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance } from 'fastify';
import { DATABASE, type Database } from '../../database/database.js';
import { HttpModule } from '../../http/http.module.js';
import { GuessLimit } from '../../http/rate-limit/guess-limit.js';
import { BaseUrl } from '../../http/request/base-url.js';
import { LOGGER, type Logger } from '../../logging/logger.js';
import { addSamlRoutes } from './saml-routes.js';
import { ServiceProviderStore } from './service-provider-store.js';

/** The addresses of SAML service providers, at the API. */
@Module({ imports: [HttpModule] })
export class SamlModule implements OnModuleInit {
  constructor(
    @Inject(HttpAdapterHost) private readonly http: HttpAdapterHost,
    @Inject(DATABASE) private readonly db: Database,
    @Inject(GuessLimit) private readonly guesses: GuessLimit,
    @Inject(BaseUrl) private readonly baseUrl: BaseUrl,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    const fastify: FastifyInstance = this.http.httpAdapter.getInstance();
    const providers = new ServiceProviderStore(this.db);
    addSamlRoutes(fastify, providers, this.guesses, () => this.baseUrl.saml, this.logger);
  }
}
