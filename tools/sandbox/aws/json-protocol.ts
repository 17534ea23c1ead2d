import { randomUUID } from 'node:crypto';
import { header, isObject, parseJson, type Answer, type Exchange, unreachable } from '../exchange.js';
import type { AccessKeys } from './credentials.js';
import { verifySignature, type SignatureFault, type Signer } from './signature.js';

/** A request in the AWS JSON 1.1 protocol (https://smithy.io/2.0/aws/protocols/aws-json-1_1-protocol.html). */
export interface JsonRequest {
  readonly operation: string;
  /** The members of the request; empty where the body is not a JSON object (see `malformed`). */
  readonly input: Readonly<Record<string, unknown>>;
  readonly malformed: boolean;
}

/** An answer with a request id, as every AWS answer has one. */
export function amzJson(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return amzText(status, JSON.stringify(value), headers);
}

/** The same for a body that is JSON text already. */
export function amzText(
  status: number,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return {
    status,
    headers: { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': randomUUID(), ...headers },
    body,
  };
}

/** An error of a JSON service. `member` is how the service spells the message's name: most write `message`, access denials `Message`. */
export function amzError(
  status: number,
  type: string,
  message: string,
  member: 'message' | 'Message' = 'message',
): Answer {
  return amzJson(status, { __type: type, [member]: message }, { 'x-amzn-errortype': type });
}

/** The request, where `X-Amz-Target` names an operation of the service with that prefix; undefined where not. */
export function readJsonRequest(exchange: Exchange, prefix: string): JsonRequest | undefined {
  const target = header(exchange, 'x-amz-target');
  if (exchange.method !== 'POST' || target === undefined || !target.startsWith(`${prefix}.`))
    return undefined;
  const input = parseJson(exchange.body.toString('utf8'));
  return {
    operation: target.slice(prefix.length + 1),
    input: isObject(input) ? input : {},
    malformed: !isObject(input),
  };
}

/**
 * What every JSON service checks before it looks at a call: that it is signed, and that its body can be read.
 * Gives the signer, or the refusal.
 */
export function admit(
  exchange: Exchange,
  request: JsonRequest,
  service: string,
  keys: AccessKeys,
): { readonly signer: Signer } | { readonly refusal: Answer } {
  const signer = verifySignature(exchange, service, keys);
  if (typeof signer === 'string') return { refusal: signatureError(signer) };
  // By convention: a key that is good, of someone who may do nothing.
  if (signer.accessKeyId.startsWith('AKIADENIED'))
    return { refusal: accessDenied(signer.principal, service, request.operation) };
  if (request.malformed)
    return {
      refusal: amzError(400, 'SerializationException', 'Start of structure or map found where not expected.'),
    };
  return { signer };
}

/** The refusal of a JSON service to someone without the permission. */
export function accessDenied(principal: string, service: string, operation: string): Answer {
  const message = `User: ${principal} is not authorized to perform: ${service}:${operation} because no identity-based policy allows the ${service}:${operation} action`;
  return amzError(400, 'AccessDeniedException', message, 'Message');
}

export function expiredToken(): Answer {
  return amzError(400, 'ExpiredTokenException', 'The security token included in the request is expired');
}

function signatureError(fault: SignatureFault): Answer {
  switch (fault) {
    case 'missing':
      return amzError(400, 'MissingAuthenticationTokenException', 'Missing Authentication Token');
    case 'incomplete':
      return amzError(
        400,
        'IncompleteSignatureException',
        'Authorization header requires Credential, SignedHeaders and Signature, and X-Amz-Date or Date.',
      );
    case 'wrong_key':
      return amzError(
        400,
        'UnrecognizedClientException',
        'The security token included in the request is invalid.',
      );
    case 'expired_session':
      return expiredToken();
    case 'wrong_scope':
      return amzError(400, 'InvalidSignatureException', 'Credential should be scoped to correct service.');
    case 'skewed':
      return amzError(
        400,
        'InvalidSignatureException',
        'Signature expired: the date of the request is not within 5 minutes of the current time.',
      );
    case 'wrong_signature':
      return amzError(
        400,
        'InvalidSignatureException',
        'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
      );
    default:
      return unreachable(fault);
  }
}

/** Whether a record of `Records` has `text` in its data, which is base64. */
export function carriesData(request: JsonRequest, text: string): boolean {
  const records = request.input['Records'];
  if (!Array.isArray(records)) return false;
  return records.some((record: unknown) => {
    const data = isObject(record) ? record['Data'] : undefined;
    return typeof data === 'string' && Buffer.from(data, 'base64').includes(text);
  });
}

/** The refusal of a call for a record that the service cannot read. It does not say which. */
export function malformedRecord(): Answer {
  return constraint('java.nio.HeapByteBuffer', 'records', 'Member must hold data that can be read');
}

/** A refusal in the words of the validation that all JSON services have in common. */
export function constraint(value: string, field: string, rule: string): Answer {
  return amzError(
    400,
    'ValidationException',
    `1 validation error detected: Value '${value}' at '${field}' failed to satisfy constraint: ${rule}`,
  );
}
