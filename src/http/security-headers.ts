import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.js';

/**
 * Adds security headers to every response. The API serves no pages, so its content policy allows nothing; the docs and
 * the dashboard set their own. HSTS is sent only where PUBLIC_URL uses HTTPS.
 */
export async function addSecurityHeaders(fastify: FastifyInstance, config: Pick<Config, 'PUBLIC_URL'>): Promise<void> {
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
