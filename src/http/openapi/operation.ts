import { applyDecorators, HttpCode } from '@nestjs/common';
import { ApiExtension, ApiOperation, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { z } from 'zod';
import type { KnownErrorCode } from '../error-codes.js';

/** What the documentation says of a route handler. Parameters and body are taken from the handler's own decorators. */
export interface OperationDescription {
  /** Name of the operation for code generators: `createBotUser`. */
  readonly id: string;
  /** One line without a full stop. */
  readonly summary: string;
  readonly description?: string;
  /** Heading under which it is listed: the family's name in the plural. */
  readonly tag: string;
  /** What stands under that heading: given by one of its operations. */
  readonly tagDescription?: string;
  /** Status of success; 200 unless given. */
  readonly status?: 200 | 201 | 202 | 204;
  /** Schema of the response; none for 204. */
  readonly response?: z.ZodType;
  /** Whether the response is one resource with an ETag: adds the header, If-None-Match to reads and If-Match to writes. */
  readonly versioned?: boolean;
  /** Errors of its own, beside those that every operation of its kind can have. */
  readonly errors?: readonly KnownErrorCode[];
}

/** Members of an operation in which the decorators leave notes for `document.ts`, which takes them out again. */
export const NOTES_KEY = 'x-waybill';
/** Set on operations that take no API key. */
export const PUBLIC_KEY = 'x-waybill-public';

/**
 * Documents a route handler and sets its status of success. Authentication, the version header, idempotency, rate limit and the
 * errors that follow from the method are added to all operations alike.
 */
export function Operation(operation: OperationDescription): MethodDecorator {
  const { status = 200, response, versioned = false, errors = [], tagDescription } = operation;
  return applyDecorators(
    HttpCode(status),
    ApiOperation({
      operationId: operation.id,
      summary: operation.summary,
      ...(operation.description !== undefined && { description: operation.description }),
    }),
    ApiTags(operation.tag),
    ApiResponse({ status, description: successWords[status], ...(response && { standardSchema: response }) }),
    ApiExtension(NOTES_KEY, { versioned, errors, ...(tagDescription !== undefined && { tagDescription }) }),
  );
}

const successWords = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  204: 'Done; there is nothing more to say',
};
