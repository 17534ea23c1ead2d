import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from '../../src/app.module.js';
import { readConfig } from '../../src/config/config.js';
import { payloadComponents } from '../../src/events/payload-components.js';
import { describeApi } from '../../src/http/openapi/api-document.js';
import { Lifecycle } from '../../src/lifecycle/lifecycle.js';
import { createLogger } from '../../src/logging/logger.js';
import { eventCatalogue } from '../../src/resources/event-types.js';

/** Returns the OpenAPI document of the API. A preview of the graph instantiates no provider, so nothing is opened. */
export async function makeOpenApi(): Promise<string> {
  const root = AppModule.forRoles(readConfig({ ROLES: 'api' }), createLogger('silent'), new Lifecycle());
  const app = await NestFactory.create<NestFastifyApplication>(root, new FastifyAdapter(), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  const document = describeApi(app, payloadComponents(eventCatalogue));
  await app.close();
  return `${JSON.stringify(document, null, 2)}\n`;
}
