import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.js';

/**
 * Adds security headers to every response: those of Helmet's defaults (https://helmetjs.github.io), stricter where the
 * API needs less. The API serves no pages, so its content policy allows nothing; the docs and the dashboard set their
 * own. HSTS is sent only where PUBLIC_URL uses HTTPS.
 */
export function addSecurityHeaders(fastify: FastifyInstance, config: Pick<Config, 'PUBLIC_URL'>): void {
  const headers = securityHeaders(config.PUBLIC_URL?.startsWith('https:') === true);
  fastify.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
}

/** Returns the security headers; their values are the same for every response. */
function securityHeaders(secure: boolean): Readonly<Record<string, string>> {
  return {
    'content-security-policy': "default-src 'none';base-uri 'none';frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'referrer-policy': 'no-referrer',
    ...(secure && { 'strict-transport-security': 'max-age=31536000' }),
    'x-content-type-options': 'nosniff',
    'x-dns-prefetch-control': 'off',
    'x-download-options': 'noopen',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'x-xss-protection': '0',
  };
}
