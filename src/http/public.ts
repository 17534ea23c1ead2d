import { applyDecorators } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExtension } from '@nestjs/swagger';
import { PUBLIC_KEY } from './openapi/operation.js';

/** Marks a route handler that takes no API key and no version header. Every other route asks for both. */
export function Public(): MethodDecorator {
  return applyDecorators(RouteConfig({ public: true }), ApiExtension(PUBLIC_KEY, true));
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set by `@Public()`, or by a plugin for routes of its own that keep watch over themselves. */
    public?: boolean;
  }
}
