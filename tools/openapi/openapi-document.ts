import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { format } from 'oxfmt';
import { AppModule } from '../../src/app.module.js';
import { readConfig } from '../../src/config/config.js';
import { Lifecycle } from '../../src/lifecycle/lifecycle.js';
import { createLogger } from '../../src/logging/logger.js';
import { eventCatalogue } from '../../src/resources/event-types.js';
import { describeApi } from './document/describe-api.js';
import { payloadComponents } from './document/payload-components.js';

/** The file of the document. */
export const OPENAPI_FILE = 'docs/openapi.json';

/**
 * Returns the OpenAPI document of the API, formatted. A preview of the graph instantiates no provider, so nothing is
 * opened.
 */
export async function makeOpenApi(): Promise<string> {
  const root = AppModule.forRoles(readConfig({ ROLES: 'api' }), createLogger('silent'), new Lifecycle());
  const app = await NestFactory.create<NestFastifyApplication>(root, new FastifyAdapter(), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  const document = describeApi(app, payloadComponents(eventCatalogue));
  await app.close();
  // As compact as the formatter leaves it: 23,000 lines instead of 43,000.
  const { code } = await format(OPENAPI_FILE, JSON.stringify(document), { printWidth: 120 });
  return code;
}
