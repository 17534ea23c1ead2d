import { randomUUID } from 'node:crypto';
import {
  header,
  isObject,
  parseJson,
  type ErrorKind,
  type ErrorResponses,
  type HttpResponse,
  type HttpRequest,
} from '../protocol.js';
import { SANDBOX_ACCOUNT_ID, type AccessKeys } from './credentials.js';
import { signatureFaults, verifySignature, type SignatureFault, type Signer } from './signature.js';

/** A request in the AWS JSON 1.1 protocol (https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html). */
export interface JsonRequest {
  readonly operation: string;
  /** Members of the request; empty if the body is not a JSON object (see `malformed`). */
  readonly input: Readonly<Record<string, unknown>>;
  readonly malformed: boolean;
}

/** Returns a JSON response with a request id. */
export function amzJson(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return amzText(status, JSON.stringify(value), headers);
}

/** Returns a response with a body of JSON text. */
export function amzText(status: number, body: string, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': randomUUID(), ...headers },
    body,
  };
}

/** Returns an error. `member` holds the message: most services use `message`, access denials use `Message`. */
export function amzError(
  status: number,
  type: string,
  message: string,
  member: 'message' | 'Message' = 'message',
): HttpResponse {
  return amzJson(status, { __type: type, [member]: message }, { 'x-amzn-errortype': type });
}

/** Parses a request to the service with this `X-Amz-Target` prefix; undefined for another service. */
export function readJsonRequest(request: HttpRequest, prefix: string): JsonRequest | undefined {
  const target = header(request, 'x-amz-target');
  if (request.method !== 'POST' || target === undefined || !target.startsWith(`${prefix}.`)) return undefined;
  const input = parseJson(request.body.toString('utf8'));
  return {
    operation: target.slice(prefix.length + 1),
    input: isObject(input) ? input : {},
    malformed: !isObject(input),
  };
}

/** Checks the signature and the body of a request. Returns the signer, or the error. */
export function authenticate(
  request: HttpRequest,
  jsonRequest: JsonRequest,
  service: string,
  keys: AccessKeys,
): { readonly signer: Signer } | { readonly error: HttpResponse } {
  const signer = verifySignature(request, service, keys);
  if (typeof signer === 'string') return { error: signatureError(signer) };
  // By convention a valid key without permissions.
  if (signer.accessKeyId.startsWith('AKIADENIED'))
    return { error: accessDenied(signer.principal, service, jsonRequest.operation) };
  if (jsonRequest.malformed)
    return {
      error: amzError(400, 'SerializationException', 'Start of structure or map found where not expected.'),
    };
  return { signer };
}

/** Returns the error for a caller without the permission. */
export function accessDenied(principal: string, service: string, operation: string): HttpResponse {
  const message = `User: ${principal} is not authorized to perform: ${service}:${operation} because no identity-based policy allows the ${service}:${operation} action`;
  return amzError(400, 'AccessDeniedException', message, 'Message');
}

function signatureError(fault: SignatureFault): HttpResponse {
  const { json, message } = signatureFaults[fault];
  return amzError(400, json, message);
}

/** Checks whether a record contains `text`; its data is base64. */
export function carriesData(jsonRequest: JsonRequest, text: string): boolean {
  const records = jsonRequest.input['Records'];
  if (!Array.isArray(records)) return false;
  return records.some((record: unknown) => {
    const data = isObject(record) ? record['Data'] : undefined;
    return typeof data === 'string' && Buffer.from(data, 'base64').includes(text);
  });
}

/** Returns the error for an unreadable record. It does not name the record. */
export function malformedRecord(): HttpResponse {
  return constraint('java.nio.HeapByteBuffer', 'records', 'Member must hold data that can be read');
}

/** Returns a validation error in the format of all JSON services. */
export function constraint(value: string, field: string, rule: string): HttpResponse {
  return amzError(
    400,
    'ValidationException',
    `1 validation error detected: Value '${value}' at '${field}' failed to satisfy constraint: ${rule}`,
  );
}

/** Errors that each JSON service words in its own way. */
export type OwnErrors = Omit<ErrorResponses, 'deny' | 'expired'>;

/** Returns the error of a kind: a common one, or the service's own. */
export function jsonError(kind: ErrorKind, service: string, operation: string, own: OwnErrors): HttpResponse {
  if (kind === 'deny') return accessDenied(`arn:aws:iam::${SANDBOX_ACCOUNT_ID}:user/scripted`, service, operation);
  return kind === 'expired' ? signatureError('expired_session') : own[kind]();
}

/** Returns the error for a transient failure of Firehose and Kinesis. */
export function internalFailure(): HttpResponse {
  return amzError(
    500,
    'InternalFailure',
    'The request processing has failed because of an unknown error, exception or failure.',
  );
}

/** Returns `Records`, or the error if there are none or too many. */
export function recordsOf(jsonRequest: JsonRequest, most: number): readonly unknown[] | HttpResponse {
  const records = jsonRequest.input['Records'];
  if (!Array.isArray(records) || records.length === 0)
    return constraint('[]', 'records', 'Member must have length greater than or equal to 1');
  if (records.length > most)
    return constraint('[...]', 'records', `Member must have length less than or equal to ${most}`);
  return records;
}
