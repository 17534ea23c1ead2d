import { HttpException } from '@nestjs/common';
import { z } from 'zod';
import { Problem, type InputError } from '../problems/problem.js';
import { describeErrorCode, errorCodes, statusOf, type KnownErrorCode } from './error-codes.js';
import { isStoreFailure } from './store-failure.js';

/** Media type of every error: RFC 9457. */
export const PROBLEM_MEDIA_TYPE = 'application/problem+json; charset=utf-8';

/** Shape of every error. */
export const problemSchema = z
  .object({
    type: z
      .string()
      .meta({ description: 'Names the kind of error.', example: 'urn:waybill:error:invalid_input' }),
    title: z
      .string()
      .meta({ description: 'The same for every error of this kind.', example: 'The input is not valid' }),
    status: z.int().meta({ description: 'The HTTP status.', example: 400 }),
    detail: z.string().meta({ description: 'What went wrong this time.', example: '/name: is required' }),
    instance: z.string().meta({
      description: 'Names this very occurrence.',
      example: 'urn:waybill:operation:op_01jqz8y3s5e0kr6k4fvn0xw2ch',
    }),
    error_code: z
      .string()
      .meta({ description: 'Stable; see the list of error codes.', example: 'invalid_input' }),
    operation_id: z.string().meta({
      description: 'As in the `Operation-Id` header and in the log.',
      example: 'op_01jqz8y3s5e0kr6k4fvn0xw2ch',
    }),
    errors: z
      .array(
        z.object({
          pointer: z.string().meta({
            description:
              'RFC 6901 pointer into the body, `?name` for a query parameter, `{name}` for a part of the path.',
            example: '/name',
          }),
          detail: z.string().meta({ example: 'is required' }),
        }),
      )
      .optional()
      .meta({ description: 'Everything that is wrong with the input.' }),
    conflicts: z
      .array(z.string())
      .optional()
      .meta({ description: 'Ids of the resources that stand in the way.' }),
  })
  .meta({ id: 'Problem', description: 'An error, after RFC 9457.' });

/** An error as it is answered: the document, and the headers that belong to it. */
export interface ProblemResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly document: z.infer<typeof problemSchema>;
  /** Whether it is our fault, so that the log needs the error itself. */
  readonly fault: boolean;
}

/** What is answered to anything that was thrown while a request was served. Of what is not meant for the client, nothing is shown. */
export function toProblemResponse(error: unknown, operationId: string): ProblemResponse {
  if (error instanceof Problem) return fromProblem(error, operationId);
  if (error instanceof HttpException) return fromHttp(error.getStatus(), error.cause ?? error, operationId);
  if (isStoreFailure(error)) {
    const detail =
      'The service cannot reach one of its stores, or it is too busy. Nothing is known to have been changed.';
    return fromCode('unavailable', detail, operationId, { retryAfterSeconds: 2, fault: true });
  }
  const status = statusIn(error);
  return status === null ? internalError(operationId) : fromHttp(status, error, operationId);
}

/** The status that an error of Fastify's brings along. */
function statusIn(error: unknown): number | null {
  if (typeof error !== 'object' || error === null || !('statusCode' in error) || !('code' in error))
    return null;
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500
    ? error.statusCode
    : null;
}

function fromProblem(problem: Problem, operationId: string): ProblemResponse {
  const status = statusOf[problem.kind];
  const headers: Record<string, string> = {};
  if (problem.retryAfterSeconds !== undefined)
    headers['retry-after'] = String(Math.ceil(problem.retryAfterSeconds));
  if (status === 401) headers['www-authenticate'] = challenge(problem.code);
  return {
    status,
    headers,
    fault: problem.kind === 'unavailable',
    document: documentOf(status, problem.code, problem.message, operationId, problem),
  };
}

/** RFC 6750 section 3: a request without credentials is told no error. */
function challenge(code: string): string {
  return code === 'credentials_missing'
    ? 'Bearer realm="waybill"'
    : 'Bearer realm="waybill", error="invalid_token"';
}

/** Our code and words for what Fastify and Nest say with a status alone. */
function fromHttp(status: number, error: unknown, operationId: string): ProblemResponse {
  switch (status) {
    case 404:
      return fromCode('route_not_found', 'There is nothing at this path.', operationId);
    case 405:
      return fromCode('method_not_allowed', 'This path does not take this method.', operationId);
    case 408:
      return fromCode('request_timeout', 'The request was not received in full in time.', operationId);
    case 413:
      return fromCode('body_too_large', 'The body is larger than this server accepts.', operationId);
    case 414:
      return fromCode('uri_too_long', 'A part of the path is longer than any id.', operationId);
    case 415:
      return fromCode('unsupported_media_type', 'The body must be sent as application/json.', operationId);
    case 431:
      return fromCode(
        'headers_too_large',
        'The request line and headers are larger than this server accepts.',
        operationId,
      );
    case 503:
      return fromCode('unavailable', 'The service is stopping.', operationId, { retryAfterSeconds: 2 });
    default:
      if (status >= 500) return internalError(operationId);
      return fromCode('malformed_request', malformedDetail(error), operationId);
  }
}

/** Words of our own for the ways in which a request can break HTTP; never the error's, which may repeat what was sent. */
function malformedDetail(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  switch (code) {
    case 'FST_ERR_BAD_URL':
      return 'The path is not a valid URL: a percent sign must be followed by two hexadecimal digits that are part of UTF-8.';
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return 'The body does not have the length that Content-Length says.';
    default:
      return 'The request is not well-formed HTTP.';
  }
}

function internalError(operationId: string): ProblemResponse {
  const detail = `Something went wrong in the service. Its log says more under ${operationId}.`;
  return fromCode('internal_error', detail, operationId, { fault: true });
}

interface CodeExtras {
  readonly retryAfterSeconds?: number;
  readonly fault?: boolean;
}

function fromCode(
  code: KnownErrorCode,
  detail: string,
  operationId: string,
  extras: CodeExtras = {},
): ProblemResponse {
  const { status } = errorCodes[code];
  return {
    status,
    headers:
      extras.retryAfterSeconds === undefined ? {} : { 'retry-after': String(extras.retryAfterSeconds) },
    fault: extras.fault ?? false,
    document: documentOf(status, code, detail, operationId, {}),
  };
}

interface Members {
  readonly errors?: readonly InputError[] | undefined;
  readonly conflicts?: readonly string[] | undefined;
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
  };
}
