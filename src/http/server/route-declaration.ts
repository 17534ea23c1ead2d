import type { FastifyContextConfig, RouteOptions } from 'fastify';

/** Pattern of a route, and what its decorator or its plugin declares. */
interface Route {
  readonly url?: string;
  readonly config?: Pick<FastifyContextConfig, 'public' | 'roles'>;
}

/**
 * Whether a route needs no API key.
 * @param publicPaths route patterns that begin with one of these check access themselves
 */
export function isPublic({ config, url = '' }: Route, publicPaths: readonly string[]): boolean {
  return config?.public === true || publicPaths.some((path) => url === path || url.startsWith(`${path}/`));
}

/** @throws Error for a route that declares neither the roles that may call it nor that it is public */
export function requireDeclaration(route: Route & Pick<RouteOptions, 'method'>, publicPaths: readonly string[]): void {
  if (isPublic(route, publicPaths) || (route.config?.roles?.length ?? 0) > 0) return;
  const name = `${String(route.method)} ${route.url ?? ''}`;
  throw new Error(`The route ${name} declares no roles. Give @Operation an access, or set public in its config.`);
}
