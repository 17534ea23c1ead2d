import Fastify, { type FastifyContextConfig } from 'fastify';
import { expect, it } from 'vitest';
import { requireDeclaration } from './route-declaration.js';

/** Adds a route to a server that requires declarations, also of the routes of plugins. */
async function addRoute(url: string, config?: FastifyContextConfig): Promise<void> {
  const server = Fastify();
  server.addHook('onRoute', (route) => requireDeclaration(route, ['/docs']));
  await server.register(async (scope) => {
    scope.get(url, config ? { config } : {}, () => 'ok');
  });
  await server.ready();
  await server.close();
}

it('a route must declare its roles, or be public', async () => {
  await expect(addRoute('/notes')).rejects.toThrow('The route GET /notes declares no roles.');
  await expect(addRoute('/notes', { roles: [] })).rejects.toThrow('declares no roles');
  await expect(addRoute('/notes', { public: false })).rejects.toThrow('declares no roles');
  await expect(addRoute('/docsother')).rejects.toThrow('declares no roles');
  await addRoute('/notes', { roles: ['admin'] });
  await addRoute('/notes', { public: true });
  await addRoute('/docs/page');
});
