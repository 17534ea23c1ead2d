import { HttpException } from '@nestjs/common';
import { z } from 'zod';
import { isStoreFailure } from '../../database/store-failure.js';
import { errorCodes } from '../../problems/error-codes.js';
import { Problem } from '../../problems/problem.js';

/** Media type of every error: RFC 9457. */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8';

/** The body of every error. */
export const problemSchema = z
  .object({
    type: z.string().meta({ description: 'The kind of error.', example: 'urn:waybill:error:invalid_input' }),
    title: z.string().meta({
      description: 'Short description, the same for every error of this kind.',
      example: 'The input is not valid',
    }),
    status: z.int().min(100).max(599).meta({ description: 'The HTTP status.', example: 400 }),
    detail: z.string().meta({ description: 'What went wrong in this request.', example: '/name: is required' }),
    instance: z.string().meta({
      description: 'This occurrence of the error.',
      example: 'urn:waybill:operation:op_01jqz8y3s5e0kr6k4fvn0xw2ch',
    }),
    error_code: z.string().meta({
      id: 'ErrorCode',
      enum: Object.keys(errorCodes),
      description:
        'Stable code of the error. `docs/errors.md` lists all codes. Later releases may have more: treat an unknown code by the HTTP status.',
      example: 'invalid_input',
    }),
    operation_id: z.string().meta({
      description: 'Id of the request, also in the `Operation-Id` header and in the log.',
      example: 'op_01jqz8y3s5e0kr6k4fvn0xw2ch',
    }),
    errors: z
      .array(
        z.object({
          pointer: z.string().meta({
            description:
              'RFC 6901 pointer into the body, `?name` for a query parameter, `{name}` for a path parameter.',
            example: '/name',
          }),
          detail: z.string().meta({ example: 'is required' }),
          position: z
            .object({
              offset: z.int().min(0).meta({ description: 'Characters before the position.' }),
              line: z.int().min(1),
              column: z.int().min(1),
            })
            .optional()
            .meta({ description: 'Where the error is within the value, where the value is an expression.' }),
        }),
      )
      .optional()
      .meta({ description: 'Every error in the input.' }),
    conflicts: z.array(z.string()).optional().meta({ description: 'Ids of the conflicting resources.' }),
    allowed_roles: z
      .array(z.string())
      .optional()
      .meta({ description: 'Roles of API keys that may call the operation (`role_not_allowed`).' }),
  })
  .meta({ id: 'Problem', description: 'An error as defined by RFC 9457.' });

/** The response to an error: the problem document and its headers. */
export interface ProblemResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly document: z.infer<typeof problemSchema>;
  /** Whether the service failed, so that the error itself is logged. */
  readonly fault: boolean;
}

/**
 * Returns the response to anything thrown while a request was served. Only the text of a Problem reaches the client.
 */
export function toProblemResponse(error: unknown, operationId: string): ProblemResponse {
  const httpStatus = httpStatusOf(error);
  const problem = problemOf(error, httpStatus, operationId);
  const { code, message, errors, conflicts, allowedRoles } = problem;
  const { status, title } = errorCodes[code];
  return {
    status,
    headers: {
      ...retryAfter(status, problem.retryAfterSeconds),
      ...(status === 401 && { 'www-authenticate': challenge(code) }),
    },
    // The 503 of an HttpException is no fault: the service is stopping.
    fault: status >= 500 && httpStatus !== 503,
    document: {
      type: `urn:waybill:error:${code}`,
      title,
      status,
      detail: message,
      instance: `urn:waybill:operation:${operationId}`,
      error_code: code,
      operation_id: operationId,
      ...(errors && { errors: [...errors] }),
      ...(conflicts && { conflicts: [...conflicts] }),
      ...(allowedRoles && { allowed_roles: [...allowedRoles] }),
    },
  };
}

/** The status of an error that Nest threw, or the 4xx status of one that Fastify threw; null for any other error. */
function httpStatusOf(error: unknown): number | null {
  if (error instanceof HttpException) return error.getStatus();
  if (typeof error !== 'object' || error === null || !('statusCode' in error) || !('code' in error)) return null;
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500
    ? error.statusCode
    : null;
}

function problemOf(error: unknown, httpStatus: number | null, operationId: string): Problem {
  if (error instanceof Problem) return error;
  // Before the stores: the error of an upload that the client ended has the code of a reset connection.
  const known = httpStatus !== null && problemOfStatus(httpStatus, error);
  if (known) return known;
  if (isStoreFailure(error)) {
    const detail = 'The database or the queue store is unreachable or overloaded. The change may not have been made.';
    return new Problem('unavailable', detail);
  }
  return new Problem('internal_error', `The service failed. Its log has the error under ${operationId}.`);
}

/** Returns the header that says when to repeat a request. Each 503 has it. */
function retryAfter(status: number, seconds = status === 503 ? 2 : undefined): Readonly<Record<string, string>> {
  return seconds === undefined ? {} : { 'retry-after': String(Math.ceil(seconds)) };
}

/** RFC 6750 section 3: the challenge to a request without credentials has no error. */
function challenge(code: string): string {
  return code === 'credentials_missing' ? 'Bearer realm="waybill"' : 'Bearer realm="waybill", error="invalid_token"';
}

/** Returns the problem of an error of Fastify or Nest, which has a status only; undefined for an internal error. */
function problemOfStatus(status: number, error: unknown): Problem | undefined {
  switch (status) {
    case 404:
      return new Problem('route_not_found', 'The API has no operation at this path.');
    case 405:
      return new Problem('method_not_allowed', 'The path does not support this method.');
    case 408:
      return new Problem('request_timeout', 'The server did not receive the whole request in time.');
    case 413:
      return new Problem('body_too_large', 'The body exceeds the limit of the server.');
    case 414:
      return new Problem('uri_too_long', 'A path parameter is longer than 255 characters.');
    case 415:
      return new Problem('unsupported_media_type', 'Send the body as application/json.');
    case 431:
      return new Problem('headers_too_large', 'The request line and headers exceed the limit of the server.');
    case 503:
      return new Problem('unavailable', 'The service is stopping.');
    default:
      return status >= 500 ? undefined : new Problem('malformed_request', malformedDetail(error));
  }
}

/** The detail of a malformed request. The error's own message may repeat what was sent, so it is not used. */
function malformedDetail(error: unknown): string {
  const cause = error instanceof HttpException ? error.cause : error;
  const code = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined;
  switch (code) {
    case 'FST_ERR_BAD_URL':
      return 'The path is not a valid URL: a percent sign must begin a percent-encoded byte of UTF-8.';
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return 'The length of the body differs from Content-Length.';
    case 'ECONNRESET':
      return 'The client closed the connection before it had sent the whole body.';
    default:
      return 'The request is not well-formed HTTP.';
  }
}
