import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.js';

/**
 * Security headers on every answer. Nothing of the API is ever shown as a page, so its policy allows nothing; the docs and the
 * dashboard set their own. Browsers are told to insist on HTTPS only where PUBLIC_URL uses it.
 */
export async function addSecurityHeaders(
  fastify: FastifyInstance,
  config: Pick<Config, 'PUBLIC_URL'>,
): Promise<void> {
  const secure = config.PUBLIC_URL?.startsWith('https:') === true;
  await fastify.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'base-uri': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
  });
}
