import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { invalidInput } from '../../problems/problem.js';
import { MAX_ERRORS, pointerTo } from '../problems/input-errors.js';
import { TAKES_QUERY } from './query-parameters.js';

/**
 * Refuses query parameters on routes that take none, so that a misspelt parameter is never ignored. Routes with
 * `@QueryParameters()` validate theirs by schema. Public routes ignore parameters, since monitors add their own.
 */
@Injectable()
export class QueryGuard implements CanActivate {
  private readonly reflector = new Reflector();

  /** @throws Problem `invalid_input` that names the parameters */
  canActivate(context: ExecutionContext): boolean {
    const { query, routeOptions } = context.switchToHttp().getRequest<FastifyRequest>();
    const names = typeof query === 'object' && query !== null ? Object.keys(query) : [];
    if (names.length === 0 || routeOptions.config.public === true) return true;
    if (this.reflector.get<true | undefined>(TAKES_QUERY, context.getHandler())) return true;
    throw invalidInput(
      names.slice(0, MAX_ERRORS).map((name) => ({ pointer: pointerTo([name], 'query'), detail: 'is unknown' })),
    );
  }
}
