import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExtension } from '@nestjs/swagger';
import { PUBLIC_KEY } from './openapi/operation.js';

/** Marks a route that requires neither an API key nor a version header. */
export function Public(): MethodDecorator {
  return applyDecorators(RouteConfig({ public: true }), ApiExtension(PUBLIC_KEY, true));
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set by `@Public()`, or by a plugin that authenticates its own routes. */
    public?: boolean;
  }
}
