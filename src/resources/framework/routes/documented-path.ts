import { Documented } from '../../../http/openapi/documented.js';

/** Documents every parameter of a path pattern, for handlers that take all parameters as one object. */
export function DocumentedPath(pattern: string): MethodDecorator {
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return Documented(({ ApiParam }) =>
    names.map((name) => ApiParam({ name, required: true, schema: { type: 'string' } })),
  );
}
