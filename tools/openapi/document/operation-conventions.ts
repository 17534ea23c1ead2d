import type { KeyRole, RestrictedRoles } from '../../../src/accounts/key-role.js';
import { NOTES_KEY, RESTRICTED_ROLES_KEY, ROLES_KEY } from '../../../src/http/openapi/operation.js';
import { OPERATION_ID_HEADER } from '../../../src/http/server/request-hooks.js';
import { errorCodes, type KnownErrorCode } from '../../../src/problems/error-codes.js';
import type { Json } from './json.js';
import type {
  HeaderObject,
  OperationObject,
  ParameterObject,
  ReferenceObject,
  ResponseObject,
} from './openapi-types.js';

/** Method and path of an operation. */
export interface OperationRoute {
  readonly method: 'get' | 'put' | 'post' | 'delete' | 'patch';
  readonly path: string;
}

/** Security scheme with the API key. */
export const API_KEY_SCHEME = 'api_key';
/** Security scheme with the cookie of a session. */
export const SESSION_SCHEME = 'session';
/**
 * Security scheme with the version of the API. Every operation needs the header, and a client sets a scheme once. As a
 * required parameter, it would be an argument of each call of a generated client.
 */
export const VERSION_SCHEME = 'service_version';

/** Printable ASCII, without white space at its ends: HTTP removes that. */
const HEADER_VALUE = '^[!-~](?:[ -~]*[!-~])?$';

/** Header parameters that operations reference. */
export const sharedParameters: Record<string, ParameterObject> = {
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    required: false,
    description: 'ETag of the version to change. The response is 412 if the resource has a newer version.',
    schema: { type: 'string', pattern: HEADER_VALUE, example: '"v3"' },
  },
  IfNoneMatch: {
    name: 'If-None-Match',
    in: 'header',
    required: false,
    description: 'ETag of the version that the client has. The response is 304 if it is still current.',
    schema: { type: 'string', pattern: HEADER_VALUE, example: '"v3"' },
  },
  Range: {
    name: 'Range',
    in: 'header',
    required: false,
    description:
      'One part of the file: the response is then a 206 with `Content-Range`. Several parts, and other units than bytes, are ignored.',
    schema: { type: 'string', pattern: HEADER_VALUE, example: 'bytes=1048576-' },
  },
  IfRange: {
    name: 'If-Range',
    in: 'header',
    required: false,
    description:
      'ETag of the file of which the client has a part. If the file has another one, the response has the whole file.',
    schema: { type: 'string', pattern: HEADER_VALUE, example: '"v3"' },
  },
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    required: false,
    description:
      'A unique text for this request. If the request is repeated with the key within 24 hours, the first response is replayed with `Idempotent-Replayed: true`. The `token` of a new API key is null in a replay. A backfill, recovery, redelivery, test, event source or log link stores its response after its change. Such a request is carried out again if Waybill crashed in between, or if it is repeated after a minute while it still runs. So is a test that failed.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: HEADER_VALUE },
  },
};

const parameterReference = (name: keyof typeof sharedParameters): ReferenceObject => ({
  $ref: `#/components/parameters/${name}`,
});

/** Headers that responses reference. */
export const sharedHeaders: Record<string, HeaderObject> = {
  OperationId: {
    description: 'Id of this request, also in the log and in events.',
    schema: { type: 'string', example: 'op_01jqz8y3s5e0kr6k4fvn0xw2ch' },
  },
  ETag: {
    description: 'Version of the resource, for If-Match and If-None-Match.',
    schema: { type: 'string', example: '"v3"' },
  },
  Location: { description: 'Address of the created resource.', schema: { type: 'string' } },
  RetryAfter: {
    description: 'Seconds to wait before a retry.',
    schema: { type: 'integer', format: 'int32', example: 2 },
  },
  Allow: {
    description: 'The methods that the path supports.',
    schema: { type: 'string', example: 'GET, POST' },
  },
  ContentRange: {
    description: 'The part of the file in the response, and the size of the whole.',
    schema: { type: 'string', example: 'bytes 1048576-2097151/2097152' },
  },
};

const headerReference = (name: keyof typeof sharedHeaders): ReferenceObject => ({
  $ref: `#/components/headers/${name}`,
});

/** Statuses whose responses have an additional header. */
const headersOfStatus: Readonly<Record<number, Record<string, ReferenceObject>>> = {
  405: { Allow: headerReference('Allow') },
  416: { 'Content-Range': headerReference('ContentRange') },
  // Only `idempotency_key_in_use` has it.
  409: { 'Retry-After': headerReference('RetryAfter') },
  429: { 'Retry-After': headerReference('RetryAfter') },
  503: { 'Retry-After': headerReference('RetryAfter') },
};

const statuses = [...new Set(Object.values(errorCodes).map(({ status }) => status))].toSorted((a, b) => a - b);

/** One response for each error status, with its codes. */
export const sharedResponses: Record<string, ResponseObject> = Object.fromEntries(
  statuses.map((status) => [`Problem${status}`, problemResponse(status)]),
);

function problemResponse(status: number): ResponseObject {
  const codes = Object.entries(errorCodes).filter(([, code]) => code.status === status);
  return {
    description: codes.map(([name, { meaning }]) => `- \`${name}\`: ${meaning}`).join('\n'),
    headers: { [OPERATION_ID_HEADER]: headerReference('OperationId'), ...headersOfStatus[status] },
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

const problemReference = (status: number): ReferenceObject => ({
  $ref: `#/components/responses/Problem${status}`,
});

interface Notes {
  readonly versioned: boolean;
  readonly ranges?: boolean;
  readonly optionalBody: boolean;
  readonly errors: readonly KnownErrorCode[];
  /** Null for an operation that takes no API key. */
  readonly roles: readonly KeyRole[] | null;
  /** The roles among them that may send some members of the body only. */
  readonly restricted?: RestrictedRoles | null;
  readonly tagDescription?: string;
}

/** Adds the headers, credentials and errors that every operation of its method has. */
export function completeOperation(operation: OperationObject, route: OperationRoute): OperationObject {
  const { notes, rest } = readNotes(operation);
  const isPublic = notes.roles === null;
  const hasBody = rest.requestBody !== undefined;
  const parameters = (rest.parameters ?? []).map(withoutRepetition);
  if (!isPublic) parameters.push(...conventionalParameters(route, notes));
  const errors = new Set<number>(notes.errors.map((code) => errorCodes[code].status));
  for (const status of isPublic ? [400, 500] : conventionalStatuses(route, notes, hasBody)) errors.add(status);
  const responses: OperationObject['responses'] = {};
  for (const [status, response] of Object.entries(rest.responses))
    responses[status] = withHeaders(status, response, notes);
  if (route.method === 'get' && notes.versioned) responses['304'] = { description: 'Not modified.' };
  for (const status of [...errors].toSorted((a, b) => a - b)) responses[String(status)] = problemReference(status);
  const { requestBody: body } = rest;
  const optional = notes.optionalBody && body !== undefined && !('$ref' in body);
  const requestBody = optional ? { requestBody: { ...body, required: false } } : {};
  const security = isPublic
    ? []
    : [API_KEY_SCHEME, SESSION_SCHEME].map((credential) => ({ [credential]: [], [VERSION_SCHEME]: [] }));
  const roles = notes.roles && rolesOf(rest.description, notes.roles, notes.restricted ?? null);
  return { ...rest, ...requestBody, ...roles, parameters, responses, security };
}

/** Returns a parameter of the query without `required: false`, the default, and whose schema repeats no description. */
function withoutRepetition(parameter: ParameterObject | ReferenceObject): ParameterObject | ReferenceObject {
  if ('$ref' in parameter || parameter.in !== 'query') return parameter;
  const { required, ...rest } = parameter;
  const schema: Json = { ...parameter.schema };
  if (schema.description === rest.description) delete schema.description;
  return { ...rest, ...(required && { required }), schema };
}

/** Returns the members of an operation with the roles of keys that may call it: its description, and the extensions. */
function rolesOf(description: string | undefined, roles: readonly KeyRole[], restricted: RestrictedRoles | null) {
  const limited =
    restricted && `With the role ${named(restricted.roles)}, only ${named(restricted.members)} may be sent.`;
  const parts = [description, limited, `Roles: ${named(roles)}.`];
  const byRole = restricted?.roles.map((role) => [role, restricted.members] as const);
  return {
    description: parts.filter((part) => part != null).join('\n\n'),
    [ROLES_KEY]: roles,
    ...(byRole && { [RESTRICTED_ROLES_KEY]: Object.fromEntries(byRole) }),
  };
}

function named(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(', ');
}

/** Returns the description of the tag, if this operation has it. */
export function tagDescriptionIn(operation: OperationObject): string | undefined {
  return readNotes(operation).notes.tagDescription;
}

function readNotes(operation: OperationObject): { notes: Notes; rest: OperationObject } {
  const rest: OperationObject & Record<string, unknown> = { ...operation };
  const { [NOTES_KEY]: left } = rest;
  Reflect.deleteProperty(rest, NOTES_KEY);
  return { notes: isNotes(left) ? left : { versioned: false, optionalBody: false, errors: [], roles: [] }, rest };
}

function isNotes(value: unknown): value is Notes {
  return typeof value === 'object' && value !== null && 'versioned' in value && 'errors' in value;
}

function conventionalParameters({ method }: OperationRoute, { versioned, ranges }: Notes): ReferenceObject[] {
  if (method === 'post') return [parameterReference('IdempotencyKey')];
  const ofVersions = versioned ? [parameterReference(method === 'get' ? 'IfNoneMatch' : 'IfMatch')] : [];
  return ranges ? [...ofVersions, parameterReference('Range'), parameterReference('IfRange')] : ofVersions;
}

function conventionalStatuses({ method, path }: OperationRoute, { versioned }: Notes, hasBody: boolean): number[] {
  const found = [400, 401, 403, 429, 500, 503];
  if (path.includes('{')) found.push(404);
  if (method !== 'get') found.push(409);
  if (method !== 'get' && method !== 'post' && versioned) found.push(412);
  if (hasBody) found.push(413, 415);
  return found;
}

function withHeaders(status: string, response: ResponseObject | ReferenceObject | undefined, notes: Notes) {
  if (response === undefined || '$ref' in response) return response;
  return {
    ...response,
    headers: {
      ...response.headers,
      [OPERATION_ID_HEADER]: headerReference('OperationId'),
      ...(notes.versioned && status !== '204' && { ETag: headerReference('ETag') }),
      ...(notes.versioned && status === '201' && { Location: headerReference('Location') }),
      ...(status === '206' && { 'Content-Range': headerReference('ContentRange') }),
    },
  };
}
