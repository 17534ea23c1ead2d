import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { randomBytes } from 'node:crypto';
import { ApiModule, type ApiServices } from '../../src/api.module.js';
import { readConfig } from '../../src/config/config.js';
import type { Tables } from '../../src/database/tables.js';
import { Dispatcher } from '../../src/delivery/dispatcher.js';
import { LaneStore } from '../../src/delivery/lane-store.js';
import type { Queues } from '../../src/delivery/queues/queues.js';
import { HttpModule } from '../../src/http/http.module.js';
import { describeApi } from '../../src/http/openapi/api-document.js';
import { createLogger } from '../../src/logging/logger.js';
import { KeyRing } from '../../src/secrets/key-ring.js';
import { SecretStore } from '../../src/secrets/secret-store.js';
import { targetLimits } from '../../src/targets/registry.js';

/** The OpenAPI document of the API as it is committed. Nothing is opened: routes and schemas are all that it is made of. */
export async function makeOpenApi(): Promise<string> {
  const root = HttpModule.around(ApiModule.with(servicesWithoutStores()), {
    stalled: () => null,
    stores: {},
  });
  const app = await NestFactory.create<NestFastifyApplication>(root, new FastifyAdapter(), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  const document = describeApi(app);
  await app.close();
  return `${JSON.stringify(document, null, 2)}\n`;
}

function servicesWithoutStores(): ApiServices {
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  });
  const queues: Queues = {
    backend: 'postgres',
    queue: noQueue,
    all: () => [],
    worker: noQueue,
    side: noQueue,
    sideWorker: noQueue,
    close: () => Promise.resolve(),
  };
  const lanes = new LaneStore(db, targetLimits);
  const dispatcher = new Dispatcher(lanes, queues, createLogger('silent'));
  const secrets = new SecretStore(KeyRing.parse(`documentation:${randomBytes(32).toString('base64')}`));
  return { config: readConfig({}), db, secrets, lanes, dispatcher, scheduleCheck: noQueue };
}

function noQueue(): never {
  throw new Error('There are no queues while the documentation is made.');
}
