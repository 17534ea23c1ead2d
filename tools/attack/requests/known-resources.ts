import { exampleOf } from '../../openapi/example-of.js';
import type { AttackClient } from '../environment/attack-client.js';
import type { KnownRequests } from './generated-requests.js';
import { fillPath, operationsOf, type Document, type Operation } from './operations.js';

/** Resources of an account, made from the examples of the OpenAPI document. */
export interface KnownResources extends KnownRequests {
  readonly operations: readonly Operation[];
  /** Whether the account has a resource for each parameter of a path. */
  has(path: string): boolean;
}

/** An id that no resource has. */
export const MISSING_ID = 'ipp_00000000000000000000000000';

/** Creates a resource by each operation that takes the example of its schema. */
export async function createResources(admin: AttackClient): Promise<KnownResources> {
  const document = JSON.parse((await admin.send('GET', '/openapi.json')).text) as Document;
  const operations = operationsOf(document);
  const made = new Map<string, string>();
  const idOf = (match: RegExpMatchArray, path: string) => made.get(path.slice(0, match.index));
  const parametersOf = (path: string) =>
    Array.from(path.matchAll(/\/\{\w+\}/g), (match) => idOf(match, path) ?? MISSING_ID);
  const bodyOf = ({ body }: Operation) => (body === undefined ? undefined : exampleOf(body, '', document));
  const creates = operations.filter(({ method, path }) => method === 'POST' && !path.endsWith('}'));
  // A resource may refer to another one: what is missing at first is there at the second time.
  for (const operation of [...creates, ...creates]) {
    const { path } = operation;
    if (made.has(path)) continue;
    const { status, body } = await admin.send('POST', fillPath(path, parametersOf(path)), bodyOf(operation));
    if (status === 201 && typeof body['id'] === 'string') made.set(path, body['id']);
  }
  return {
    schemas: document.components.schemas,
    operations,
    ids: [...made.values()],
    parametersOf,
    bodyOf,
    has: (path) => [...path.matchAll(/\/\{\w+\}/g)].every((match) => idOf(match, path) !== undefined),
  };
}
