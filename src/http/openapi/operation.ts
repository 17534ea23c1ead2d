import { applyDecorators, HttpCode } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExtension, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import { DEFAULT_ROLE, type KeyRole } from '../../accounts/key-role.js';
import type { KnownErrorCode } from '../error-codes.js';

/** Documentation of a route handler. Parameters and body come from the handler's own decorators. */
export interface OperationDescription {
  /** `operationId`, for code generators: `createBotUser`. */
  readonly id: string;
  /** One line without a full stop. */
  readonly summary: string;
  readonly description?: string;
  /** The group of the operation: the plural title of the family. */
  readonly tag: string;
  /** Description of the tag. One operation of each tag has it. */
  readonly tagDescription?: string;
  /** Status of success; 200 by default. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Schema of the response; absent for 204. */
  readonly response?: z.ZodType;
  /**
   * Whether the response is one resource with an ETag. Adds ETag, If-None-Match to reads and If-Match to writes.
   */
  readonly versioned?: boolean;
  /** Whether the request may have no body, which then counts as an empty object. */
  readonly optionalBody?: boolean;
  /** Roles of API keys that may call the operation; `admin` only by default. */
  readonly roles?: readonly KeyRole[];
  /** Largest body, in bytes, whatever MAX_BODY_BYTES; default: MAX_BODY_BYTES. */
  readonly bodyLimit?: number;
  /** Errors in addition to those of every operation of this method. */
  readonly errors?: readonly KnownErrorCode[];
}

/** OpenAPI extension that passes notes to `operation-conventions.ts`, which removes it. */
export const NOTES_KEY = 'x-waybill';
/** OpenAPI extension with the roles of API keys that may call an operation. */
export const ROLES_KEY = 'x-roles';
/** Set on operations that take no API key. */
export const PUBLIC_KEY = 'x-waybill-public';

/**
 * Documents a route handler and sets its status of success. `completeOperation` adds authentication, the version
 * header, idempotency, and the errors of the method.
 */
export function Operation(operation: OperationDescription): MethodDecorator {
  const { status = 200, response, versioned = false, optionalBody = false, errors = [], tagDescription } = operation;
  const { roles, bodyLimit } = operation;
  const config = { ...(roles && { roles }), ...(bodyLimit !== undefined && { bodyLimit }) };
  return applyDecorators(
    HttpCode(status),
    // Another decorator of the handler may set the configuration of the route.
    ...(Object.keys(config).length === 0 ? [] : [RouteConfig(config)]),
    ApiOperation({
      operationId: operation.id,
      summary: operation.summary,
      ...(operation.description !== undefined && { description: operation.description }),
    }),
    ApiTags(operation.tag),
    ApiResponse({
      status,
      description: SUCCESS_DESCRIPTIONS[status],
      ...(response && { standardSchema: response }),
    }),
    ApiExtension(NOTES_KEY, {
      versioned,
      optionalBody,
      errors,
      roles: roles ?? [DEFAULT_ROLE],
      ...(tagDescription !== undefined && { tagDescription }),
    }),
  );
}

const SUCCESS_DESCRIPTIONS = {
  200: 'OK.',
  201: 'Created.',
  202: 'Accepted.',
  204: 'No content.',
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Roles of API keys that may call the route; absent: `admin` only. */
    roles?: readonly KeyRole[];
    /** Largest body of the route, in bytes; absent: MAX_BODY_BYTES. */
    bodyLimit?: number;
  }
}
