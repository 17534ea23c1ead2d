import type * as Swagger from '@nestjs/swagger';

/** Applies the documentation of one handler. */
type Apply = (swagger: typeof Swagger) => void;

/** Documentation that no document was made of yet. */
const waiting: Apply[] = [];

/**
 * Documents a route handler with decorators of `@nestjs/swagger`. They are applied when a document is made: to load the
 * package takes a quarter of a second of CPU, and the service sends a document that was made before.
 */
export function Documented(documentation: (swagger: typeof Swagger) => readonly MethodDecorator[]): MethodDecorator {
  return (target, key, descriptor) => {
    waiting.push((swagger) => {
      for (const decorate of documentation(swagger)) decorate(target, key, descriptor);
    });
  };
}

/** Applies the documentation of all handlers. */
export function applyDocumentation(swagger: typeof Swagger): void {
  for (const apply of waiting.splice(0)) apply(swagger);
}
