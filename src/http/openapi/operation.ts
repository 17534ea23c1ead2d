import { applyDecorators, HttpCode } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { z } from 'zod';
import {
  rolesFor,
  type KeyRole,
  type PartialAccess,
  type RestrictedRoles,
  type RouteAccess,
} from '../../accounts/key-role.js';
import type { KnownErrorCode } from '../../problems/error-codes.js';
import { Documented } from './documented.js';

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
  /** Media types of a response that is a file; absent for JSON. */
  readonly files?: readonly string[];
  /** Whether a part of the file can be requested. Adds Range and If-Range, and the responses 206 and 416. */
  readonly ranges?: boolean;
  /**
   * Whether the response is one resource with an ETag. Adds ETag, If-None-Match to reads and If-Match to writes.
   */
  readonly versioned?: boolean;
  /** Whether the request may have no body, which then counts as an empty object. */
  readonly optionalBody?: boolean;
  /**
   * What the operation does, which decides on the roles of API keys that may call it (`rolesWith`). `public`: the
   * operation needs neither an API key nor a version header.
   */
  readonly access: RouteAccess | 'public';
  /** Whether a link to the log of a destination opens the operation (`LogLinks`). */
  readonly linked?: boolean;
  /** Further roles, which may send some members of the body and nothing else. */
  readonly partialAccess?: PartialAccess;
  /** Largest body, in bytes, whatever MAX_BODY_BYTES; default: MAX_BODY_BYTES. */
  readonly bodyLimit?: number;
  /** Whether requests cost much more than others, and have turns of their own; `filtered`: those with a filter. */
  readonly costly?: 'always' | 'filtered';
  /** Errors in addition to those of every operation of this method. */
  readonly errors?: readonly KnownErrorCode[];
}

/** OpenAPI extension that passes notes to `operation-conventions.ts`, which removes it. */
export const NOTES_KEY = 'x-waybill';
/** OpenAPI extension with the roles of API keys that may call an operation. */
export const ROLES_KEY = 'x-roles';
/** OpenAPI extension with the roles among them that may send some members of the body only: these, by role. */
export const RESTRICTED_ROLES_KEY = 'x-restricted-roles';

/**
 * Documents a route handler, and sets its status of success and the roles that may call it. `completeOperation` adds
 * authentication, the version header, idempotency, and the errors of the method.
 */
export function Operation(operation: OperationDescription): MethodDecorator {
  const { status = 200, response, versioned = false, optionalBody = false, errors = [], tagDescription } = operation;
  const { access, linked, partialAccess, bodyLimit, costly, files, ranges = false } = operation;
  const content = files && { content: Object.fromEntries(files.map((type) => [type, { schema: { type: 'string' } }])) };
  const { roles, restricted } = access === 'public' ? NO_ROLES : rolesFor(access, partialAccess);
  return applyDecorators(
    HttpCode(status),
    RouteConfig({
      ...(roles ? { roles } : { public: true }),
      ...(restricted && { restricted }),
      ...(linked && { linked }),
      ...(access === 'read' && { changesNothing: true }),
      ...(bodyLimit !== undefined && { bodyLimit }),
      ...(costly && { costly }),
    }),
    Documented(({ ApiExtension, ApiOperation, ApiResponse, ApiTags }) => [
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
        ...content,
      }),
      ...(ranges ? [ApiResponse({ status: 206, description: SUCCESS_DESCRIPTIONS[206], ...content })] : []),
      ApiExtension(NOTES_KEY, {
        versioned,
        ranges,
        optionalBody,
        errors: ranges ? [...errors, 'range_not_satisfiable'] : errors,
        roles,
        restricted,
        ...(tagDescription !== undefined && { tagDescription }),
      }),
    ]),
  );
}

const NO_ROLES = { roles: null, restricted: null };

const SUCCESS_DESCRIPTIONS = {
  200: 'OK.',
  201: 'Created.',
  202: 'Accepted.',
  204: 'No content.',
  206: 'The part of the file that the request names.',
};

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Roles of API keys that may call the route. A route has these, or is public. */
    roles?: readonly KeyRole[];
    /** The roles among them that may send some members of the body only. */
    restricted?: RestrictedRoles;
    /** Set on a route that a link to the log of a destination opens. */
    linked?: boolean;
    /** Set on a route that shows data, and changes nothing. */
    changesNothing?: true;
    /** Set on a route without an API key and a version header, or whose plugin authenticates it. */
    public?: boolean;
    /** Largest body of the route, in bytes; absent: MAX_BODY_BYTES. */
    bodyLimit?: number;
    /** As in `OperationDescription`. */
    costly?: 'always' | 'filtered';
  }
}
