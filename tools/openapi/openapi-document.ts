import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';
import { ApiModule } from '../../src/api.module.js';
import { HttpModule } from '../../src/http/http.module.js';
import { describeApi } from '../../src/http/openapi/api-document.js';

/** The OpenAPI document of the API as it is committed. Nothing is opened: routes and schemas are all that it is made of. */
export async function makeOpenApi(): Promise<string> {
  const root = HttpModule.around(ApiModule.forDocumentation(), { stalled: () => null, stores: {} });
  const app = await NestFactory.create<NestFastifyApplication>(root, new FastifyAdapter(), {
    preview: true,
    logger: false,
    abortOnError: false,
  });
  const document = describeApi(app);
  await app.close();
  return `${JSON.stringify(document, null, 2)}\n`;
}
