import { setTimeout } from 'node:timers/promises';
import type { DynamicModule, Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Config } from '../../config/config.js';
import type { Lifecycle } from '../../lifecycle/lifecycle.js';
import type { Logger } from '../../logging/logger.js';
import { acceptJsonOnly } from '../input/json-body.js';
import { docsPaths, serveDocs, type OpenApiDocument } from '../openapi/docs.js';
import { endSlowReaders, sendInPieces } from '../response/large-responses.js';
import { addResponseHeaders } from '../response/response-headers.js';
import { addSecurityHeaders } from '../response/security-headers.js';
import { ADDED_ROUTES, type AddRoutes } from './added-routes.js';
import { endConnectionsOnClose } from './closing.js';
import { nestLogger } from './nest-logger.js';
import { addRequestHooks, HOOK_SERVICES, type HookServices } from './request-hooks.js';
import { RouteTable } from './route-table.js';
import { fastifyOptions } from './server-options.js';

/**
 * Routes below these paths require no API key: the docs and the files of the console are public, the dashboard checks
 * sessions itself.
 */
const publicPaths = [...docsPaths, '/dashboard', '/console'];

/**
 * Creates the application of a root module with `httpProviders`, ready to listen. `lifecycle` closes it: requests in
 * progress end within SHUTDOWN_DEADLINE_MS, after SHUTDOWN_DRAIN_MS in which `/readyz` reports 503.
 * @param document returns the OpenAPI document of the application, as JSON
 * @throws the error of a provider that could not be created
 */
export async function createApi(
  root: Type | DynamicModule,
  config: Config,
  logger: Logger,
  lifecycle: Lifecycle,
  document: OpenApiDocument,
): Promise<NestFastifyApplication> {
  const created = await NestFactory.create<NestFastifyApplication>(
    root,
    new FastifyAdapter(fastifyOptions(config, logger)),
    {
      bodyParser: false,
      abortOnError: false,
      logger: nestLogger(logger),
    },
  );
  const app = await lifecycle.open(
    'work',
    () => created,
    () => close(created, config.SHUTDOWN_DRAIN_MS),
  );
  const fastify = app.getHttpAdapter().getInstance();
  // Node would respond in plain text to an unknown `Expect` header; such a request is served as usual.
  fastify.server.on('checkExpectation', (request, response) => fastify.server.emit('request', request, response));
  const routes = app.get(RouteTable);
  fastify.addHook('onRoute', (route) => {
    routes.add(route.method, route.url);
    const limit = route.config?.bodyLimit;
    if (limit !== undefined) route.bodyLimit = limit;
  });
  endConnectionsOnClose(fastify, config.SHUTDOWN_DEADLINE_MS);
  endSlowReaders(fastify, logger);
  addSecurityHeaders(fastify, config);
  acceptJsonOnly(fastify);
  addResponseHeaders(fastify);
  addRequestHooks(fastify, app.get<HookServices>(HOOK_SERVICES), publicPaths);
  sendInPieces(fastify);
  if (config.ROLES.includes('api')) {
    fastify.get('/', { config: { public: true } }, (_request, reply) => reply.redirect('/console', 302));
  }
  serveDocs(app, document);
  await app.init();
  for (const addRoutes of app.get<readonly AddRoutes[]>(ADDED_ROUTES)) addRoutes(fastify);
  await fastify.ready();
  return app;
}

/** Closes an application; one that listens only after `drainMs`, so that load balancers stop sending requests first. */
async function close(app: NestFastifyApplication, drainMs: number): Promise<void> {
  if (drainMs > 0 && app.getHttpServer().listening) await setTimeout(drainMs);
  await app.close();
}
