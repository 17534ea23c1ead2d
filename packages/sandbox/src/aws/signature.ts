import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { header, type HttpRequest } from '../protocol.js';
import type { AccessKeys } from './credentials.js';

/** Signer and region of a request. */
export interface Signer {
  readonly accessKeyId: string;
  readonly principal: string;
  readonly region: string;
}

/** Reasons why a signature is invalid: the codes of the JSON and of the query protocol, and the message. */
export const signatureFaults = {
  missing: {
    json: 'MissingAuthenticationTokenException',
    query: 'MissingAuthenticationToken',
    message: 'Request is missing Authentication Token',
  },
  incomplete: {
    json: 'IncompleteSignatureException',
    query: 'IncompleteSignature',
    message: 'Authorization header requires Credential, SignedHeaders and Signature, and X-Amz-Date or Date.',
  },
  wrong_key: {
    json: 'UnrecognizedClientException',
    query: 'InvalidClientTokenId',
    message: 'The security token included in the request is invalid.',
  },
  expired_session: {
    json: 'ExpiredTokenException',
    query: 'ExpiredToken',
    message: 'The security token included in the request is expired',
  },
  wrong_scope: {
    json: 'InvalidSignatureException',
    query: 'SignatureDoesNotMatch',
    message: 'Credential should be scoped to correct service.',
  },
  skewed: {
    json: 'InvalidSignatureException',
    query: 'SignatureDoesNotMatch',
    message: 'Signature expired: the date of the request is not within 5 minutes of the current time.',
  },
  wrong_signature: {
    json: 'InvalidSignatureException',
    query: 'SignatureDoesNotMatch',
    message:
      'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.',
  },
} as const;
export type SignatureFault = keyof typeof signatureFaults;

/** https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv.html */
const SKEW_MS = 5 * 60 * 1000;
const authorizationShape =
  /^AWS4-HMAC-SHA256 Credential=([A-Za-z0-9]+)\/(\d{8})\/([a-z0-9-]+)\/([a-z0-9-]+)\/aws4_request, ?SignedHeaders=([a-z0-9;-]+), ?Signature=([0-9a-f]{64})$/;

const signingKeys = new Map<string, Buffer>();

/** Checks Signature Version 4 of a request. Recomputes the signature if the secret is known (see AccessKeys). */
export function verifySignature(request: HttpRequest, service: string, keys: AccessKeys): Signer | SignatureFault {
  const authorization = header(request, 'authorization');
  if (authorization === undefined) return 'missing';
  const match = authorizationShape.exec(authorization);
  const amzDate = header(request, 'x-amz-date');
  if (match === null || amzDate === undefined) return 'incomplete';
  const [, accessKeyId = '', date = '', region = '', scopeService = '', signedHeaders = '', signature = ''] = match;
  const signed = signedHeaders.split(';');
  if (!signed.includes('host')) return 'incomplete';
  const key = keys.find(accessKeyId);
  if (key.kind === 'wrong') return 'wrong_key';
  if (scopeService !== service || !amzDate.startsWith(date)) return 'wrong_scope';
  const moment = Date.parse(amzDate.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));
  if (!(Math.abs(Date.now() - moment) <= SKEW_MS)) return 'skewed';
  if (key.kind === 'known') {
    if (key.sessionToken !== undefined && key.sessionToken !== header(request, 'x-amz-security-token'))
      return 'wrong_key';
    const scope = `${date}/${region}/${service}/aws4_request`;
    const toSign = `AWS4-HMAC-SHA256\n${amzDate}\n${scope}\n${sha256(canonicalRequest(request, signed))}`;
    const expected = createHmac('sha256', signingKey(key.secret, date, region, service))
      .update(toSign)
      .digest();
    if (!timingSafeEqual(expected, Buffer.from(signature, 'hex'))) return 'wrong_signature';
    if (key.expiresAtMs !== undefined && key.expiresAtMs <= Date.now()) return 'expired_session';
  }
  return { accessKeyId, principal: key.principal, region };
}

function canonicalRequest(request: HttpRequest, signed: readonly string[]): string {
  const headers = signed
    .map((name) => `${name}:${(header(request, name) ?? '').trim().replaceAll(/ +/g, ' ')}\n`)
    .join('');
  const query = request.query.split('&').toSorted().join('&');
  return [request.method, request.path, query, headers, signed.join(';'), sha256(request.body)].join('\n');
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex');
}

function signingKey(secret: string, date: string, region: string, service: string): Buffer {
  const name = `${secret} ${date} ${region} ${service}`;
  const known = signingKeys.get(name);
  if (known !== undefined) return known;
  const key = [date, region, service, 'aws4_request'].reduce<Buffer>(
    (previous, part) => createHmac('sha256', previous).update(part).digest(),
    Buffer.from(`AWS4${secret}`),
  );
  // Limits the table: every session adds a key.
  if (signingKeys.size >= 1_000) signingKeys.clear();
  signingKeys.set(name, key);
  return key;
}
