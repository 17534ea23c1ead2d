interface KnownRoute {
  readonly methods: Set<string>;
  readonly matches: RegExp;
}

/**
 * The methods of each path, collected as Fastify adds routes. Tells an unsupported method from an unknown path.
 */
export class RouteTable {
  private readonly routes = new Map<string, KnownRoute>();

  /** Adds a route. `url` is its pattern (`/bot_users/:id`). */
  add(method: string | readonly string[], url: string): void {
    const route = this.routes.get(url) ?? { methods: new Set(), matches: patternOf(url) };
    for (const name of typeof method === 'string' ? [method] : method) route.methods.add(name);
    this.routes.set(url, route);
  }

  /** Returns the methods of a path in alphabetical order; empty for an unknown path. */
  methodsAt(url: string): string[] {
    const path = url.replace(/[?#].*$/s, '');
    const methods = new Set<string>();
    for (const route of this.routes.values()) {
      if (route.matches.test(path)) for (const method of route.methods) methods.add(method);
    }
    return [...methods].toSorted();
  }
}

function patternOf(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) => {
      if (part.startsWith(':')) return '[^/]+';
      return part === '*' ? '.*' : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    })
    .join('/');
  return new RegExp(`^${source}$`);
}
