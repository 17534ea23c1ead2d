import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { createLogger } from '../logging/logger.js';
import { addMetricsRoute } from './metrics-route.js';

const TOKEN = 'token-of-the-metrics';

test.each([
  [undefined, 'credentials_missing', 'The credentials are missing', 'Send METRICS_TOKEN'],
  ['Bearer wrong', 'credentials_invalid', 'The credentials are not valid', 'The token is not METRICS_TOKEN'],
])('the metrics reject %s with the reason', async (authorization, code, title, detail) => {
  const server = fastify();
  const metrics = { contentType: 'text/plain', render: () => Promise.reject(new Error('shown to nobody')) };
  addMetricsRoute(server, metrics, TOKEN, createLogger('silent'));
  const { statusCode, headers, body } = await server.inject({
    url: '/metrics',
    headers: authorization === undefined ? {} : { authorization },
  });
  expect(statusCode).toBe(401);
  expect(headers['www-authenticate']).toContain('Bearer realm="waybill"');
  const said: unknown = JSON.parse(body);
  expect(said).toMatchObject({ error_code: code, title, detail: expect.stringContaining(detail) });
});
