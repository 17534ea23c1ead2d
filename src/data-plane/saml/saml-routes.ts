import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { sendProblem } from '../../http/problems/problem-filter.js';
import type { GuessLimit } from '../../http/rate-limit/guess-limit.js';
import { isId } from '../../ids/id.js';
import type { Logger } from '../../logging/logger.js';
import { notFound, Problem } from '../../problems/problem.js';
import { httpsEdgeRoute } from '../../resources/families/https-edge-routes/https-edge-route.js';
import { samlAddresses, storedServiceProvider } from '../../resources/families/https-edge-routes/saml-module.js';
import type { ServiceProviderStore } from './service-provider-store.js';
import { spMetadata } from './sp-metadata.js';

/** https://www.iana.org/assignments/media-types/application/samlmetadata+xml */
const METADATA_TYPE = 'application/samlmetadata+xml; charset=utf-8';

const parameters = z.object({ id: z.string() });

/**
 * Adds the addresses of SAML service providers, which need no key: `GET /saml/{route id}/metadata` returns the
 * metadata. Unknown routes count as guesses of the client's address. Logins and logouts belong to the data plane. A
 * request for them that arrives here was routed wrongly, and gets a 421.
 * @param baseUrl returns the base of the addresses in the metadata
 */
export function addSamlRoutes(
  server: FastifyInstance,
  providers: ServiceProviderStore,
  guesses: GuessLimit,
  baseUrl: () => string,
  logger: Logger,
): void {
  const config = { public: true };
  void server.register(async (scope) => {
    // A form of an identity provider is not read: the response does not depend on it.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, payload, done) => {
      payload.resume();
      done(null);
    });
    scope.setErrorHandler((error, request, reply) => sendProblem(request, reply, error, logger));

    scope.get('/saml/:id/metadata', { config }, async (request, reply) => {
      const id = routeIdOf(request);
      const stored = isId(httpsEdgeRoute.prefix, id)
        ? await guesses.lookUp('SAML', id, request.state.origin.ip, () => serviceProvider(providers, id))
        : null;
      if (!stored) throw notFound('SAML service provider', id);
      return reply.type(METADATA_TYPE).send(spMetadata({ ...stored, ...samlAddresses(id, baseUrl()) }));
    });

    for (const [method, path] of [
      ['POST', 'acs'],
      ['GET', 'slo'],
      ['POST', 'slo'],
    ] as const) {
      scope.route({ method, url: `/saml/:id/${path}`, config, handler: refuseMisdirected });
    }
  });
}

async function serviceProvider(providers: ServiceProviderStore, id: string) {
  const attributes = await providers.attributesOf(id);
  return attributes === undefined ? null : storedServiceProvider(attributes);
}

async function refuseMisdirected(request: FastifyRequest): Promise<never> {
  throw new Problem(
    'misdirected_request',
    `The data plane answers SAML logins and logouts of ${routeIdOf(request)}. Route ${request.url.replace(/\?.*$/s, '')} to the gateway.`,
  );
}

function routeIdOf(request: FastifyRequest): string {
  return parameters.parse(request.params).id;
}
