import { Query, SetMetadata } from '@nestjs/common';
import type { z } from 'zod';

/** Metadata of the routes that take query parameters. */
export const TAKES_QUERY = 'waybill:takes-query';

/**
 * Gives a route handler the query, validated by a strict schema, and documents its parameters. A route without this
 * decorator refuses every query parameter (`QueryGuard`).
 */
export function QueryParameters(schema: z.ZodObject): ParameterDecorator {
  return (prototype, name, index) => {
    if (name === undefined) throw new TypeError('@QueryParameters() decorates a parameter of a method.');
    Query({ schema })(prototype, name, index);
    const handler = Object.getOwnPropertyDescriptor(prototype, name);
    if (handler) SetMetadata(TAKES_QUERY, true)(prototype, name, handler);
  };
}
