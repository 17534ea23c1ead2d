import type { INestApplication } from '@nestjs/common';
import * as swagger from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import { applyDocumentation } from '../../../src/http/openapi/documented.js';
import { problemSchema } from '../../../src/http/problems/problem-document.js';
import { SERVICE_VERSION, SERVICE_VERSION_HEADER } from '../../../src/http/server/request-hooks.js';
import { SECURE_SESSION_COOKIE, SESSION_COOKIE } from '../../../src/http/sessions/sessions.js';
import type { OperationObject, Schemas } from './openapi-types.js';
import {
  API_KEY_SCHEME,
  completeOperation,
  SESSION_SCHEME,
  sharedHeaders,
  sharedParameters,
  sharedResponses,
  tagDescriptionIn,
  VERSION_SCHEME,
} from './operation-conventions.js';
import { nameRequestBody } from './request-bodies.js';
import { convertSchema } from './schema-converter.js';
import { shareQueryParameters } from './shared-query-parameters.js';

const DESCRIPTION = `Delivers the changes of the resources of your API (\`POST /events\`), and of the built-in resources of a tunnel and
ingress platform. Every change is an event, delivered in order, at least once and numbered without gaps, to the subscribed event
destinations of the account.

Every request needs \`Authorization: Bearer <API key>\` and \`Service-Version: 2\`. Bodies are JSON. Every response has an
\`Operation-Id\` header; the log and the events of the request have the same id. Every error is a problem document
(RFC 9457) with a stable \`error_code\`.

The first start of the service prints the API key of the first admin, unless \`BOOTSTRAP_API_KEY\` sets it. \`POST /api_keys\`
creates further keys.`;

const methods = ['get', 'put', 'post', 'delete', 'patch'] as const;

/**
 * Returns the OpenAPI 3.1 document of an application, made from the decorators and zod schemas of its controllers.
 * Needs no providers: an application created with `preview: true` is enough.
 * @param named further schemas of the document, by name; they replace those of the controllers
 */
export function describeApi(app: INestApplication, named: Schemas = {}): OpenAPIObject {
  applyDocumentation(swagger);
  const base = new swagger.DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Waybill')
    .setDescription(DESCRIPTION)
    .setVersion('2')
    .setLicense('Apache-2.0', 'https://www.apache.org/licenses/LICENSE-2.0')
    .addServer('/', 'This service')
    .addBearerAuth(
      { type: 'http', scheme: 'bearer', bearerFormat: 'API key', description: 'The token of an API key.' },
      API_KEY_SCHEME,
    )
    .addApiKey(
      {
        type: 'apiKey',
        in: 'cookie',
        name: SESSION_COOKIE,
        description: `The session of a browser, instead of an API key. \`POST /session\` sets it; over HTTPS its name is \`${SECURE_SESSION_COOKIE}\`. A change needs a page of this origin. A read may lack the version header.`,
      },
      SESSION_SCHEME,
    )
    .addApiKey(
      {
        type: 'apiKey',
        in: 'header',
        name: SERVICE_VERSION_HEADER,
        description: `Version of the API: always \`${SERVICE_VERSION}\`. No secret: as a scheme, a generated client sets it once.`,
      },
      VERSION_SCHEME,
    )
    .build();
  const document = swagger.SwaggerModule.createDocument(app, base, {
    standardSchemaConverter: convertSchema,
    autoTagControllers: false,
    onlyIncludeDecoratedEndpoints: false,
  });
  const tags = tagsOf(document);
  const bodies: Schemas = {};
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods) {
      const described = item[method];
      if (described === undefined) continue;
      const { operation, schemas } = nameRequestBody(completeOperation(described, { method, path }));
      item[method] = operation;
      Object.assign(bodies, schemas);
    }
  }
  const problem = convertSchema(problemSchema, { schemaType: 'output' });
  const responses = referencedIn('responses', sharedResponses, JSON.stringify(document.paths));
  const components = {
    ...document.components,
    schemas: sorted({ ...document.components?.schemas, ...bodies, ...problem?.components, ...named }),
    parameters: { ...sharedParameters, ...shareQueryParameters(operationsIn(document)) },
    responses,
    headers: referencedIn('headers', sharedHeaders, JSON.stringify([document.paths, responses])),
  };
  return { ...document, paths: sorted(document.paths), tags, components };
}

function sorted<Value>(members: Readonly<Record<string, Value>>): Record<string, Value> {
  return Object.fromEntries(Object.entries(members).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function operationsIn({ paths }: OpenAPIObject): readonly OperationObject[] {
  return Object.values(paths).flatMap((item) => methods.flatMap((method) => item[method] ?? []));
}

/** Returns the tags in use in alphabetical order, `Health` last. */
function tagsOf(document: OpenAPIObject): { name: string; description: string }[] {
  const descriptions = new Map<string, string>();
  for (const operation of operationsIn(document)) {
    const [tag = ''] = operation.tags ?? [];
    descriptions.set(tag, tagDescriptionIn(operation) ?? descriptions.get(tag) ?? '');
  }
  return [...descriptions]
    .toSorted(([a], [b]) => (rank(a) < rank(b) ? -1 : 1))
    .map(([name, text]) => ({ name, description: text }));
}

/** Returns the shared parts that `text` references. docs/errors.md has the errors of every request. */
function referencedIn<Part>(kind: string, parts: Readonly<Record<string, Part>>, text: string): Record<string, Part> {
  return Object.fromEntries(Object.entries(parts).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)));
}

function rank(tag: string): string {
  return tag === 'Health' ? `~${tag}` : tag.toLowerCase();
}
