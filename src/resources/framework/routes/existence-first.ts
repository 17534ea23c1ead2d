import {
  Inject,
  Injectable,
  type CallHandler,
  type ExecutionContext,
  type NestInterceptor,
  type Type,
} from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { catchError, type Observable } from 'rxjs';
import { Problem } from '../../../problems/problem.js';
import type { ResourceDefinition } from '../definition/definition.js';
import { serviceToken, type ResourceService } from '../service/resource-service.js';
import { parentIdIn, type PathParameters } from './path-parameters.js';

/**
 * Returns the interceptor of routes that change a resource of a family, or a part of it. Where the body is invalid, the
 * response is a 404 if the caller's account has no such resource: the id of another account gets the same response
 * whatever the body is. A valid body costs no query.
 * @param parameter the path parameter with the id of the resource
 */
export function existenceFirst(definition: ResourceDefinition, parameter = 'id'): Type<NestInterceptor> {
  @Injectable()
  class ExistenceFirst implements NestInterceptor {
    constructor(@Inject(serviceToken(definition)) private readonly service: ResourceService) {}

    intercept(execution: ExecutionContext, next: CallHandler): Observable<unknown> {
      const request = execution.switchToHttp().getRequest<FastifyRequest<{ Params: PathParameters }>>();
      return next.handle().pipe(
        catchError(async (error: unknown) => {
          const { context } = request.state;
          if (context !== null && error instanceof Problem && error.code === 'invalid_input') {
            const { params } = request;
            // Throws `not_found`.
            await this.service.within(parentIdIn(definition, params)).attributes(context, params[parameter] ?? '');
          }
          throw error;
        }),
      );
    }
  }
  return ExistenceFirst;
}
