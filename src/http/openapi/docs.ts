import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { SwaggerModule, type OpenAPIObject } from '@nestjs/swagger';
import { describeApi } from './api-document.js';
import type { Schemas } from './openapi-types.js';

/** Routes of the documentation, which require no API key. */
export const docsPaths = ['/docs', '/openapi.json'];

/** Content policy of Swagger UI: scripts of this server, inline styles, and requests to this API only. */
const DOCS_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Adds the version of the API to a request of Swagger UI. It runs in the browser, without constants of this file. */
function addVersion(request: { headers: Record<string, string> }): object {
  request.headers['Service-Version'] = '2';
  return request;
}

/** Serves `/openapi.json` and Swagger UI under `/docs`. The document is made on the first request. */
export function serveDocs(app: NestFastifyApplication, named: () => Schemas): void {
  let document: OpenAPIObject | undefined;
  const fastify = app.getHttpAdapter().getInstance();
  fastify.addHook('onRequest', async (request, reply) => {
    const { url = '' } = request.routeOptions;
    if (url === '/docs' || url.startsWith('/docs/')) reply.header('content-security-policy', DOCS_POLICY);
  });
  SwaggerModule.setup('docs', app, () => (document ??= describeApi(app, named())), {
    jsonDocumentUrl: 'openapi.json',
    raw: ['json'],
    customSiteTitle: 'Waybill API',
    swaggerOptions: {
      requestInterceptor: addVersion,
      persistAuthorization: false,
      displayRequestDuration: true,
      tagsSorter: 'alpha',
    },
  });
}
