import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { Authenticator } from '../accounts/authenticator.js';
import { TokenStore } from '../accounts/token-store.js';
import { ResponseInterceptor } from './response-headers.js';
import { endConnectionsOnClose } from './closing.js';
import { HttpModule } from './http.module.js';
import type { HttpServices } from './http-services.js';
import { Idempotency } from './idempotency/idempotency.js';
import { IdempotencyStore } from './idempotency/idempotency-store.js';
import { acceptJsonOnly } from './json-body.js';
import { NestLogger } from './nest-logger.js';
import { docsPaths, serveDocs } from './openapi/docs.js';
import { ProblemFilter } from './problem-filter.js';
import { QueryGuard } from './query-guard.js';
import { openRateLimiter } from './rate-limit/open-rate-limiter.js';
import { addRequestHooks } from './request-hooks.js';
import { RouteTable } from './route-table.js';
import { addSecurityHeaders } from './security-headers.js';
import { fastifyOptions } from './server-options.js';
import { SchemaPipe } from './validation.js';

/** What may be added to the API before it is ready. */
export interface ApiOptions {
  /** Registers plugins on the server under the application, such as the queue dashboard. */
  readonly extend?: (fastify: FastifyInstance) => Promise<void> | void;
}

/** Route patterns that begin with these have no API key in front of them: the docs are public, the dashboard has its own login. */
const publicPaths = [...docsPaths, '/dashboard'];

/**
 * Makes the whole API out of a module with the families' controllers, ready to listen:
 *
 *     const app = await createApi(ApiModule.with(services), { config, logger, db, keyRing, health });
 *     await app.listen(config.PORT, config.HOST);   // port 0 takes a free one: `app.getHttpServer().address()`
 *     await app.close();                            // waits for the requests that are running, up to SHUTDOWN_DEADLINE_MS
 *
 * `main.ts` and the tests make the same API this way. The module needs to know nothing of this layer.
 */
export async function createApi(
  module: Type | DynamicModule,
  services: HttpServices,
  options: ApiOptions = {},
): Promise<NestFastifyApplication> {
  const { config, logger, db, keyRing, health } = services;
  const root = HttpModule.around(module, health);
  const app = await NestFactory.create<NestFastifyApplication>(
    root,
    new FastifyAdapter(fastifyOptions(config, logger)),
    {
      bodyParser: false,
      abortOnError: false,
      logger: new NestLogger(logger),
    },
  );
  const fastify = app.getHttpAdapter().getInstance();
  // An `Expect` that Node does not know is served like any other request; by itself Node would answer it in plain text.
  fastify.server.on('checkExpectation', (request, response) =>
    fastify.server.emit('request', request, response),
  );
  const limiter = openRateLimiter(config, logger);
  const routes = new RouteTable();
  fastify.addHook('onRoute', ({ method, url }) => routes.add(method, url));
  fastify.addHook('onClose', async () => limiter?.close());
  endConnectionsOnClose(fastify, config.SHUTDOWN_DEADLINE_MS);
  await addSecurityHeaders(fastify, config);
  acceptJsonOnly(fastify);
  addRequestHooks(fastify, {
    config,
    logger,
    authenticator: new Authenticator(new TokenStore(db)),
    limiter,
    idempotency: new Idempotency(new IdempotencyStore(db, keyRing), logger),
    publicPaths,
    observer: services.observer ?? null,
  });
  app.useGlobalFilters(new ProblemFilter(logger, routes));
  app.useGlobalGuards(new QueryGuard());
  app.useGlobalPipes(new SchemaPipe());
  app.useGlobalInterceptors(new ResponseInterceptor());
  serveDocs(app);
  await options.extend?.(fastify);
  await app.init();
  await fastify.ready();
  return app;
}
