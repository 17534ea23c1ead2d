import { z } from 'zod';
import { isUnavailable, type ConfigurationItem } from './configuration-follower.js';

/** The response of the example gateway. */
export interface GatewayResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Configuration = ReadonlyMap<string, ConfigurationItem>;
type Members = Readonly<Record<string, unknown>>;

const routeSchema = z.object({
  match_type: z.enum(['exact_path', 'path_prefix']),
  match: z.string(),
  backend: z.object({ enabled: z.boolean(), backend: z.object({ id: z.string() }) }).nullable(),
});
type Route = Readonly<z.infer<typeof routeSchema>>;

const responseSchema = z.object({
  status_code: z.int(),
  headers: z.record(z.string(), z.string()).nullable(),
  body: z.string().nullable(),
});

const text = (status: number, body: string): GatewayResponse => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: `${body}\n`,
});

/**
 * Returns the response to a request for a hostport: that of the HTTP-response backend of the matching route. Other
 * backends and modules belong to a real gateway.
 */
export function respond(configuration: Configuration, hostport: string, path: string): GatewayResponse {
  const edge = find(configuration, 'https_edge', ({ hostports }) => strings(hostports).includes(hostport));
  if (!edge) return text(404, `No edge serves ${hostport}.`);
  const routes = [...configuration.values()]
    .filter(({ kind, object }) => kind === 'https_edge_route' && object?.edge_id === edge.id)
    .map((item) => ({ item, route: routeSchema.parse(item.object) }))
    .filter(({ route }) => matches(route, path))
    .toSorted((a, b) => b.route.match.length - a.route.match.length);
  const [found] = routes;
  if (!found) return text(404, `No route of ${edge.id} matches ${path}.`);
  const { item, route } = found;
  // Without its secrets, a route could let through what it must refuse.
  if (isUnavailable(edge) || isUnavailable(item)) return text(503, `Secrets of ${item.id} are unavailable.`);
  const backend = route.backend?.enabled === true ? configuration.get(route.backend.backend.id) : undefined;
  if (backend?.kind !== 'http_response_backend') return text(502, 'The route has no backend that this example serves.');
  const { status_code: status, headers, body } = responseSchema.parse(backend.object);
  return { status, headers: headers ?? {}, body: body ?? '' };
}

/** Returns the number of resources of each kind, of their secrets, and of resources with unavailable secrets. */
export function summaryOf(configuration: Configuration): Readonly<Record<string, number>> {
  const counts: Record<string, number> = { secrets: 0, unavailable: 0 };
  for (const item of configuration.values()) {
    counts[item.kind] = (counts[item.kind] ?? 0) + 1;
    counts.secrets = (counts.secrets ?? 0) + Object.keys(item.secrets).length;
    counts.unavailable = (counts.unavailable ?? 0) + (isUnavailable(item) ? 1 : 0);
  }
  return counts;
}

function find(configuration: Configuration, kind: string, suits: (object: Members) => boolean) {
  return [...configuration.values()].find((item) => item.kind === kind && item.object !== null && suits(item.object));
}

function strings(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map((item) => String(item).toLowerCase()) : [];
}

function matches({ match_type: type, match }: Route, path: string): boolean {
  return type === 'exact_path' ? path === match : path.startsWith(match);
}
