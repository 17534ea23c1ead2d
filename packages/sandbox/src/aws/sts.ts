import { randomUUID } from 'node:crypto';
import {
  header,
  type HttpResponse,
  type Call,
  type HttpRequest,
  type Protocol,
  type ErrorResponses,
} from '../protocol.js';
import { assumedRoleArn, SANDBOX_ACCOUNT_ID, type AccessKeys } from './credentials.js';
import { signatureFaults, verifySignature, type SignatureFault, type Signer } from './signature.js';

const NAMESPACE = 'https://sts.amazonaws.com/doc/2011-06-15/';
const rolePattern = /^arn:aws[a-z-]*:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/;
// https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html
const externalIdPattern = /^[\w+=,.@:/-]{2,1224}$/;
const sessionNamePattern = /^[\w+=,.@-]{2,64}$/;
const LEAST_SECONDS = 900;
const MOST_SECONDS = 43_200;
const DEFAULT_SECONDS = 3_600;

/**
 * The security token service, query protocol: AssumeRole and GetCallerIdentity. Its addresses are the ARNs of roles.
 */
export function sts(keys: AccessKeys): Protocol {
  return (request) => {
    const form = header(request, 'content-type')?.startsWith('application/x-www-form-urlencoded') === true;
    if (request.method !== 'POST' || request.path !== '/' || !form) return undefined;
    const parameters = new URLSearchParams(request.body.toString('utf8'));
    const operation = parameters.get('Action') ?? '';
    const roleArn = parameters.get('RoleArn') ?? '';
    return {
      service: 'sts',
      operation,
      address: roleArn,
      partial: false,
      perform: () => perform(request, operation, parameters, keys),
      errors: errorsOf(operation, roleArn),
    } satisfies Call;
  };
}

function perform(request: HttpRequest, operation: string, parameters: URLSearchParams, keys: AccessKeys): HttpResponse {
  const signer = verifySignature(request, 'sts', keys);
  if (typeof signer === 'string') return signatureError(signer);
  switch (operation) {
    case 'AssumeRole':
      return assumeRole(parameters, signer, keys);
    case 'GetCallerIdentity':
      return success(
        operation,
        `<Arn>${escape(signer.principal)}</Arn><UserId>${signer.accessKeyId}</UserId><Account>${SANDBOX_ACCOUNT_ID}</Account>`,
      );
    default:
      return failure(400, 'InvalidAction', `Could not find operation ${operation} for version 2011-06-15`);
  }
}

function assumeRole(parameters: URLSearchParams, signer: Signer, keys: AccessKeys): HttpResponse {
  const roleArn = parameters.get('RoleArn') ?? '';
  const sessionName = parameters.get('RoleSessionName') ?? '';
  const externalId = parameters.get('ExternalId');
  const seconds = Number(parameters.get('DurationSeconds') ?? DEFAULT_SECONDS);
  if (!rolePattern.test(roleArn)) return failure(400, 'ValidationError', `${roleArn} is invalid`);
  if (!sessionNamePattern.test(sessionName))
    return failure(
      400,
      'ValidationError',
      `Value '${sessionName}' at 'roleSessionName' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w+=,.@-]*`,
    );
  if (!Number.isInteger(seconds) || seconds < LEAST_SECONDS || seconds > MOST_SECONDS) {
    return failure(
      400,
      'ValidationError',
      `Value '${seconds}' at 'durationSeconds' failed to satisfy constraint: Member must have value between ${LEAST_SECONDS} and ${MOST_SECONDS}`,
    );
  }
  if (externalId !== null && !externalIdPattern.test(externalId)) {
    return failure(
      400,
      'ValidationError',
      `Value '${externalId}' at 'externalId' failed to satisfy constraint: Member must satisfy regular expression pattern: [\\w+=,.@:\\/-]*`,
    );
  }
  // By convention every role requires an external id, and roles named `denied...` trust no account.
  const name = roleArn.slice(roleArn.lastIndexOf('/') + 1);
  if (externalId === null || name.startsWith('denied') || name.startsWith('missing'))
    return denied(signer.principal, 'AssumeRole', roleArn);
  const session = keys.issue(roleArn, externalId, sessionName, seconds * 1000);
  return success(
    'AssumeRole',
    `<AssumedRoleUser><AssumedRoleId>AROASANDBOX000000000:${escape(sessionName)}</AssumedRoleId>` +
      `<Arn>${escape(assumedRoleArn(roleArn, sessionName))}</Arn></AssumedRoleUser>` +
      `<Credentials><AccessKeyId>${session.accessKeyId}</AccessKeyId><SecretAccessKey>${escape(session.secretAccessKey)}</SecretAccessKey>` +
      `<SessionToken>${escape(session.sessionToken)}</SessionToken><Expiration>${new Date(session.expiresAtMs).toISOString()}</Expiration></Credentials>`,
  );
}

function errorsOf(operation: string, roleArn: string): ErrorResponses {
  const deny = () => denied(`arn:aws:iam::${SANDBOX_ACCOUNT_ID}:user/scripted`, operation, roleArn);
  return {
    throttle: () => failure(400, 'Throttling', 'Rate exceeded'),
    deny,
    not_found: deny, // STS does not distinguish a missing role from a denied one
    too_large: () => failure(413, 'RequestEntityTooLarge', 'Request entity is too large'),
    malformed: () => failure(400, 'ValidationError', 'The request cannot be read.'),
    expired: () => signatureError('expired_session'),
    failure: () => failure(500, 'InternalFailure', 'An internal error has occurred', 'Receiver'),
  };
}

function denied(principal: string, operation: string, roleArn: string): HttpResponse {
  return failure(
    403,
    'AccessDenied',
    `User: ${principal} is not authorized to perform: sts:${operation} on resource: ${roleArn}`,
  );
}

function signatureError(fault: SignatureFault): HttpResponse {
  const { query, message } = signatureFaults[fault];
  return failure(fault === 'incomplete' ? 400 : 403, query, message);
}

function success(operation: string, result: string): HttpResponse {
  return xml(
    200,
    `<${operation}Response xmlns="${NAMESPACE}"><${operation}Result>${result}</${operation}Result>` +
      `<ResponseMetadata><RequestId>${randomUUID()}</RequestId></ResponseMetadata></${operation}Response>`,
  );
}

function failure(status: number, code: string, message: string, type: 'Sender' | 'Receiver' = 'Sender'): HttpResponse {
  return xml(
    status,
    `<ErrorResponse xmlns="${NAMESPACE}"><Error><Type>${type}</Type><Code>${code}</Code><Message>${escape(message)}</Message></Error>` +
      `<RequestId>${randomUUID()}</RequestId></ErrorResponse>`,
  );
}

function xml(status: number, body: string): HttpResponse {
  return { status, headers: { 'content-type': 'text/xml', 'x-amzn-requestid': randomUUID() }, body };
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
