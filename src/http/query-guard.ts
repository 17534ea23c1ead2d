import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { RouteParamtypes } from '@nestjs/common/enums/route-paramtypes.enum.js';
import type { FastifyRequest } from 'fastify';
import { invalidInput } from '../problems/problem.js';

/**
 * Refuses query parameters on routes that take none, so that a misspelt one is never ignored. Routes with `@Query({ schema })`
 * are held to their strict schema; public routes let monitors add what they like.
 */
@Injectable()
export class QueryGuard implements CanActivate {
  private readonly known = new WeakMap<object, boolean>();

  canActivate(context: ExecutionContext): boolean {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const given =
      typeof request.query === 'object' && request.query !== null ? Object.keys(request.query) : [];
    if (given.length === 0 || request.routeOptions.config.public === true || this.takesQuery(context))
      return true;
    throw invalidInput(
      given.slice(0, 50).map((name) => ({ pointer: `?${name}`, detail: 'is not known here' })),
    );
  }

  private takesQuery(context: ExecutionContext): boolean {
    const handler = context.getHandler();
    const known = this.known.get(handler);
    if (known !== undefined) return known;
    const parameters: unknown = Reflect.getMetadata(ROUTE_ARGS_METADATA, context.getClass(), handler.name);
    const takes = Object.keys(parameters ?? {}).some((key) => key.startsWith(`${RouteParamtypes.QUERY}:`));
    this.known.set(handler, takes);
    return takes;
  }
}
