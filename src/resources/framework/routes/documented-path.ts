import { applyDecorators } from '@nestjs/common';
import { ApiParam } from '@nestjs/swagger';

/** Documents every parameter of a path pattern, for handlers that take all parameters as one object. */
export function DocumentedPath(pattern: string): MethodDecorator {
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return applyDecorators(...names.map((name) => ApiParam({ name, required: true, schema: { type: 'string' } })));
}
