import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { INestApplication } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyInstance } from 'fastify';
import { DOCS_POLICY, docsPage } from './docs-page.js';
import { DOCS_STYLE } from './docs-style.js';

/** Returns the OpenAPI document of an application, as JSON. */
export type OpenApiDocument = (app: INestApplication) => string | Promise<string>;

/** Routes of the documentation, which require no API key. */
export const docsPaths = ['/docs', '/openapi.json'];

const ASSETS = '/docs/assets/';

/** The folder of Swagger UI. Its package is not imported: that would load its script into this process. */
const require = createRequire(import.meta.url);
const swaggerFolder = path.dirname(require.resolve('swagger-ui-dist/package.json'));

/** The files of Swagger UI that the page loads. */
const swaggerFiles = ['swagger-ui.css', 'swagger-ui-bundle.js'];

const script = fileURLToPath(new URL('docs-script.mjs', import.meta.url));

/** The document of the built-in API, from the root of this package, as `npm run generate` wrote it. */
const documentFile = fileURLToPath(
  new URL(`${import.meta.url.endsWith('.ts') ? '' : '../'}../../../docs/openapi.json`, import.meta.url),
);

/** Returns the OpenAPI document of the service. It is not made here: that takes a second of CPU. */
export const readDocument = (): Promise<string> => readFile(documentFile, 'utf8');

/**
 * Serves `/openapi.json`, and under `/docs` Swagger UI with a search. The decision is in docs/decisions/interface.md.
 * @param document returns the OpenAPI document, as JSON
 */
export function serveDocs(app: NestFastifyApplication, document: OpenApiDocument): void {
  const fastify: FastifyInstance = app.getHttpAdapter().getInstance();
  // One buffer for all responses, also for those that wait for the first one: a copy for each of 500 ended a process.
  let body: Promise<Buffer> | undefined;
  const read = async (): Promise<Buffer> => Buffer.from(await document(app));
  fastify.get('/openapi.json', async (_request, reply) => {
    body ??= read().catch((error: unknown) => {
      body = undefined;
      throw error;
    });
    return reply.type('application/json; charset=utf-8').send(await body);
  });
  const page = docsPage(ASSETS);
  fastify.get('/docs', (_request, reply) =>
    reply.header('content-security-policy', DOCS_POLICY).type('text/html; charset=utf-8').send(page),
  );
  fastify.get('/docs/', (_request, reply) => reply.redirect('/docs', 308));
  fastify.get(`${ASSETS}docs.css`, (_request, reply) => reply.type('text/css; charset=utf-8').send(DOCS_STYLE));
  fastify.get(`${ASSETS}docs.mjs`, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(await readFile(script)),
  );
  // Not awaited: Fastify would complete the routes, before Nest has set its error handler.
  void fastify.register(async (scope) => {
    await scope.register(fastifyStatic, { root: swaggerFolder, serve: false });
    for (const file of swaggerFiles) scope.get(`${ASSETS}${file}`, (_request, reply) => reply.sendFile(file));
  });
}
