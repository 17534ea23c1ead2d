import { HttpException } from '@nestjs/common';
import { z } from 'zod';
import { isStoreFailure } from '../../database/store-failure.js';
import { Problem, type InputError } from '../../problems/problem.js';
import { describeErrorCode, errorCodes, statusOf, type KnownErrorCode } from './error-codes.js';

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
  if (error instanceof Problem) return fromProblem(error, operationId);
  if (error instanceof HttpException) return fromHttp(error.getStatus(), error.cause ?? error, operationId);
  // Before the stores: the error of an upload that the client ended has the code of a reset connection.
  const status = statusIn(error);
  if (status !== null) return fromHttp(status, error, operationId);
  if (isStoreFailure(error)) {
    const detail = 'The database or the queue store is unreachable or overloaded. The change may not have been made.';
    return fromCode('unavailable', detail, operationId, true);
  }
  return internalError(operationId);
}

/** The 4xx status of an error that Fastify threw; null for any other error. */
function statusIn(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('statusCode' in error) || !('code' in error)) return null;
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500
    ? error.statusCode
    : null;
}

function fromProblem(problem: Problem, operationId: string): ProblemResponse {
  const status = statusOf[problem.kind];
  return {
    status,
    headers: {
      ...retryAfter(status, problem.retryAfterSeconds),
      ...(status === 401 && { 'www-authenticate': challenge(problem.code) }),
    },
    fault: problem.kind === 'unavailable',
    document: documentOf(status, problem.code, problem.message, operationId, problem),
  };
}

/** Returns the header that says when to repeat a request. Each 503 has it. */
function retryAfter(status: number, seconds = status === 503 ? 2 : undefined): Readonly<Record<string, string>> {
  return seconds === undefined ? {} : { 'retry-after': String(Math.ceil(seconds)) };
}

/** RFC 6750 section 3: the challenge to a request without credentials has no error. */
function challenge(code: string): string {
  return code === 'credentials_missing' ? 'Bearer realm="waybill"' : 'Bearer realm="waybill", error="invalid_token"';
}

/** Returns the response for an error of Fastify or Nest, which has a status only. */
function fromHttp(status: number, error: unknown, operationId: string): ProblemResponse {
  switch (status) {
    case 404:
      return fromCode('route_not_found', 'The API has no operation at this path.', operationId);
    case 405:
      return fromCode('method_not_allowed', 'The path does not support this method.', operationId);
    case 408:
      return fromCode('request_timeout', 'The server did not receive the whole request in time.', operationId);
    case 413:
      return fromCode('body_too_large', 'The body exceeds the limit of the server.', operationId);
    case 414:
      return fromCode('uri_too_long', 'A path parameter is longer than 255 characters.', operationId);
    case 415:
      return fromCode('unsupported_media_type', 'Send the body as application/json.', operationId);
    case 431:
      return fromCode('headers_too_large', 'The request line and headers exceed the limit of the server.', operationId);
    case 503:
      return fromCode('unavailable', 'The service is stopping.', operationId);
    default:
      if (status >= 500) return internalError(operationId);
      return fromCode('malformed_request', malformedDetail(error), operationId);
  }
}

/** The detail of a malformed request. The error's own message may repeat what was sent, so it is not used. */
function malformedDetail(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
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

function internalError(operationId: string): ProblemResponse {
  const detail = `The service failed. Its log has the error under ${operationId}.`;
  return fromCode('internal_error', detail, operationId, true);
}

function fromCode(code: KnownErrorCode, detail: string, operationId: string, fault = false): ProblemResponse {
  const { status } = errorCodes[code];
  return {
    status,
    headers: retryAfter(status),
    fault,
    document: documentOf(status, code, detail, operationId, {}),
  };
}

interface Members {
  readonly errors?: readonly InputError[] | undefined;
  readonly conflicts?: readonly string[] | undefined;
  readonly allowedRoles?: readonly string[] | undefined;
}

function documentOf(
  status: number,
  code: string,
  detail: string,
  operationId: string,
  members: Members,
): ProblemResponse['document'] {
  return {
    type: `urn:waybill:error:${code}`,
    title: describeErrorCode(code)?.title ?? 'The request failed',
    status,
    detail,
    instance: `urn:waybill:operation:${operationId}`,
    error_code: code,
    operation_id: operationId,
    ...(members.errors && { errors: [...members.errors] }),
    ...(members.conflicts && { conflicts: [...members.conflicts] }),
    ...(members.allowedRoles && { allowed_roles: [...members.allowedRoles] }),
  };
}
