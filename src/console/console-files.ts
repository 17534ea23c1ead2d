import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendProblem } from '../http/problems/problem-filter.js';
import type { Logger } from '../logging/logger.js';
import { Problem } from '../problems/problem.js';

/** Path of the console. */
const CONSOLE_PATH = '/console';

/** Where the build puts the console. Tests run the sources, which are elsewhere than what is compiled. */
export const builtConsole = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? '../../dist/console' : '../../console', import.meta.url),
);

/** Content policy of the console: everything comes from this server, and nothing is inline. */
export const CONSOLE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Pattern of the route of the assets. */
const ASSETS = `${CONSOLE_PATH}/assets/*`;

/** The names of assets have a hash of their content, so what has one name never changes. */
const assetHeaders = { 'cache-control': 'public, max-age=31536000, immutable', vary: 'accept-encoding' };

/** Names of files below `assets/`: no hidden file, and no step upwards. */
const assetPath = /^(?:\/[\w-][\w.-]*){1,4}$/;

const NOT_BUILT = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Waybill</title></head>
<body><main>
<h1>The console is not built</h1>
<p>Run <code>npm run build</code>, and load this page again. The API works without the console. The queue dashboard does not: its sign-in is a page of the console.</p>
</main></body>
</html>
`;

/** The licenses of what the assets contain. */
const LICENSES = 'LICENSES.txt';

/**
 * Serves the built console under `/console` of `server`: its assets as files, and its page at every other path, since
 * the page itself reads the path. The files are public; the page shows nothing without a session. Call it before the
 * server is ready.
 * @param folder has `index.html`, `LICENSES.txt` and `assets`, where each asset may lie beside its compressed forms
 * (`.br`, `.gz`)
 */
export function registerConsole(server: FastifyInstance, folder: string, logger: Logger): void {
  const open = async (scope: FastifyInstance): Promise<void> => {
    scope.addHook('onRequest', (_request, reply, done) => {
      reply.header('content-security-policy', CONSOLE_POLICY);
      done();
    });
    // The headers of a reply replace those that the plugin would set.
    scope.addHook('onSend', (request, reply, payload, done) => {
      if (request.routeOptions.url === ASSETS && reply.statusCode < 400) reply.headers(assetHeaders);
      done(null, payload);
    });
    scope.setNotFoundHandler((request, reply) => refuse(request, reply, logger));
    await scope.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: '/assets/',
      decorateReply: false,
      index: false,
      preCompressed: true,
      cacheControl: false,
      allowedPath: (path) => assetPath.test(path),
    });
    scope.get(`/${LICENSES}`, async (request, reply) => {
      const text = await readText(folder, LICENSES);
      if (text === null) refuse(request, reply, logger);
      else reply.type('text/plain; charset=utf-8').send(text);
      return reply;
    });
    const page = async (_request: FastifyRequest, reply: FastifyReply) => {
      const html = await readText(folder, 'index.html');
      return reply
        .code(html === null ? 503 : 200)
        .type('text/html; charset=utf-8')
        .send(html ?? NOT_BUILT);
    };
    scope.get('/', page);
    scope.get('/*', page);
  };
  // Not awaited: Fastify would complete the routes, before Nest has set its error handler.
  void server.register(open, { prefix: CONSOLE_PATH });
}

/** Returns a file of the console; null without it. It is read again each time: a build may replace it. */
async function readText(folder: string, name: string): Promise<string | null> {
  return readFile(join(folder, name), 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw error;
  });
}

function refuse(request: FastifyRequest, reply: FastifyReply, logger: Logger): void {
  if (request.method === 'GET' || request.method === 'HEAD') {
    const problem = new Problem('route_not_found', 'The console has no such file.');
    sendProblem(request, reply, problem, logger);
    return;
  }
  reply.header('allow', 'GET, HEAD');
  const detail = `The path supports GET, HEAD, not ${request.method}.`;
  sendProblem(request, reply, new Problem('method_not_allowed', detail), logger);
}
