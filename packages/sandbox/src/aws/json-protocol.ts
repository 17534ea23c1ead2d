import { randomUUID } from 'node:crypto';
import {
  header,
  isObject,
  parseJson,
  type Call,
  type ErrorResponses,
  type HttpResponse,
  type HttpRequest,
  type Protocol,
} from '../protocol.js';
import type { ServiceName } from '../sandbox-contract.js';
import { SANDBOX_ACCOUNT_ID, type AccessKeys } from './credentials.js';
import { signatureFaults, verifySignature, type SignatureFault, type Signer } from './signature.js';

/** A call of an operation, after the checks that all services have. */
export interface JsonCall {
  readonly input: JsonInput;
  readonly address: string;
  readonly signer: Signer;
  readonly fails: () => boolean;
}

/** Members of a request; empty if its body is not a JSON object. */
export type JsonInput = Readonly<Record<string, unknown>>;

/** A service in the AWS JSON 1.1 protocol (https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html). */
interface JsonService {
  readonly service: ServiceName;
  /** Prefix of `X-Amz-Target`. */
  readonly prefix: string;
  /** Its name in signatures and permissions. */
  readonly name: string;
  /** The operation that can fail single records. */
  readonly partial?: string;
  addressOf(input: JsonInput): string;
  carries(input: JsonInput, text: string): boolean;
  /** Returns the error for an address that does not exist. */
  addressError(call: JsonCall): HttpResponse | undefined;
  readonly operations: ReadonlyMap<string, (call: JsonCall) => HttpResponse>;
  /** The errors that it words in its own way. */
  errors(address: string, operation: string): Omit<ErrorResponses, 'deny' | 'expired'>;
}

/** Returns the protocol of a service. */
export function jsonProtocol(service: JsonService, keys: AccessKeys): Protocol {
  return (request) => {
    const target = header(request, 'x-amz-target') ?? '';
    if (request.method !== 'POST' || !target.startsWith(`${service.prefix}.`)) return undefined;
    const operation = target.slice(service.prefix.length + 1);
    const body = parseJson(request.body.toString('utf8'));
    const input = isObject(body) ? body : {};
    const address = service.addressOf(input);
    return {
      service: service.service,
      operation,
      address,
      partial: operation === service.partial,
      carries: (text) => service.carries(input, text),
      perform: (fails) => {
        const signer = authenticate(request, operation, service.name, keys);
        if ('status' in signer) return signer;
        if (!isObject(body))
          return amzError(400, 'SerializationException', 'Start of structure or map found where not expected.');
        const perform = service.operations.get(operation);
        if (perform === undefined) return amzError(400, 'UnknownOperationException', `Unknown operation: ${operation}`);
        const call = { input, address, signer, fails };
        return service.addressError(call) ?? perform(call);
      },
      errors: {
        deny: () => accessDenied(`arn:aws:iam::${SANDBOX_ACCOUNT_ID}:user/scripted`, service.name, operation),
        expired: () => signatureError('expired_session'),
        ...service.errors(address, operation),
      },
    } satisfies Call;
  };
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

/** Returns the signer of a request, or the error. */
function authenticate(
  request: HttpRequest,
  operation: string,
  service: string,
  keys: AccessKeys,
): Signer | HttpResponse {
  const signer = verifySignature(request, service, keys);
  if (typeof signer === 'string') return signatureError(signer);
  // By convention a valid key without permissions.
  if (signer.accessKeyId.startsWith('AKIADENIED')) return accessDenied(signer.principal, service, operation);
  return signer;
}

/** Returns the error for a caller without the permission. */
function accessDenied(principal: string, service: string, operation: string): HttpResponse {
  const message = `User: ${principal} is not authorized to perform: ${service}:${operation} because no identity-based policy allows the ${service}:${operation} action`;
  return amzError(400, 'AccessDeniedException', message, 'Message');
}

function signatureError(fault: SignatureFault): HttpResponse {
  const { json, message } = signatureFaults[fault];
  return amzError(400, json, message);
}

/** Checks whether a record contains `text`; its data is base64. */
export function carriesData(input: JsonInput, text: string): boolean {
  const { Records: records } = input;
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

/** Returns the error for a transient failure of Firehose and Kinesis. */
export function internalFailure(): HttpResponse {
  return amzError(
    500,
    'InternalFailure',
    'The request processing has failed because of an unknown error, exception or failure.',
  );
}

/** Returns `Records`, or the error if there are none or too many. */
export function recordsOf(input: JsonInput, most: number): readonly unknown[] | HttpResponse {
  const { Records: records } = input;
  if (!Array.isArray(records) || records.length === 0)
    return constraint('[]', 'records', 'Member must have length greater than or equal to 1');
  if (records.length > most)
    return constraint('[...]', 'records', `Member must have length less than or equal to ${most}`);
  return records;
}
