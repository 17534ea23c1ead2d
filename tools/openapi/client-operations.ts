import { resolved, type ApiDocument, type DocumentedOperation, type DocumentedSchema } from './api-document.js';

/** An operation of the client: `waybill.<namespace>.<name>(…)`. */
interface ClientOperation {
  readonly namespace: string;
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly operation: DocumentedOperation;
  readonly takes: 'body' | 'query' | undefined;
  /** The member of the list that has its items. */
  readonly items: string | undefined;
}

/**
 * Makes the table of operations of `@waybill/client`: their names, methods and paths. The client derives its methods
 * and their types from the table.
 */
export function makeClientOperations(document: ApiDocument): string {
  const operations = operationsOf(document);
  const namespaces = [...new Set(operations.map(({ namespace }) => namespace))].toSorted();
  const tables = namespaces.map((name) => namespaceText(name, operations));
  const types = operations.map(({ operation: { operationId } }) => {
    const type = capitalized(operationId);
    return `  ${operationId}: { input: types.${type}Data; output: types.${type}Response };`;
  });
  return `// Generated from docs/openapi.json by "npm run generate".

import type * as types from './types.js';

/**
 * Every operation, by namespace and method of the client. \`takes\`: its argument besides the path parameters. \`items\`: the
 * member of a list that has its items.
 */
export const operations = {
${tables.join('\n')}
} as const;

/** The input and output of every operation. */
export interface OperationTypes {
${types.toSorted().join('\n')}
}
`;
}

function namespaceText(name: string, operations: readonly ClientOperation[]): string {
  const texts = operations.filter(({ namespace }) => namespace === name).map(operationText);
  return `  ${name}: {\n${texts.join('\n')}\n  },`;
}

function operationText({ name, method, path, operation, takes, items }: ClientOperation): string {
  const { operationId, summary, description } = operation;
  const texts = [`${summary}.`, ...(description === undefined ? [] : ['', ...wrapped(description)])];
  const comment = texts.map((line) => `     *${line && ` ${line}`}`).join('\n');
  const value = [
    `id: '${operationId}'`,
    `method: '${method}'`,
    `path: '${path}'`,
    ...(takes === undefined ? [] : [`takes: '${takes}'`]),
    ...(items === undefined ? [] : [`items: '${items}'`]),
  ];
  return `    /**\n${comment}\n     */\n    ${name}: { ${value.join(', ')} },`;
}

/** The tag of the files of logs, which `@waybill/verify` reads. */
const LOG_FILES = 'proof';

/** Returns the operations of the client. It returns a response when it has the whole of it, so streams are left out. */
function operationsOf({ paths, components }: ApiDocument): readonly ClientOperation[] {
  const all = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([, { responses }]) => responses['200']?.content?.['text/event-stream'] === undefined)
      .filter(([, { tags }]) => tags[0] !== LOG_FILES)
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  return all.map((one) => {
    const { operationId, tags } = one.operation;
    const siblings = all.filter(({ operation }) => operation.tags[0] === tags[0]);
    const nouns = nounsOf(siblings.map(({ operation }) => operation.operationId));
    const name = methodName(operationId, nouns);
    const takes = inputOf(one.operation, components);
    return { ...one, namespace: camelCase(tags[0] ?? ''), name, takes, items: itemsOf(one.operation, components) };
  });
}

/** Returns the nouns of a family, from its shortest operation ids: `getIpPolicy`, `listIpPolicies`. */
function nounsOf(ids: readonly string[]): readonly string[] {
  return ['get', 'list'].flatMap((verb) => {
    const [shortest] = ids.filter((id) => id.startsWith(verb)).toSorted((a, b) => a.length - b.length);
    return shortest === undefined ? [] : [shortest.slice(verb.length)];
  });
}

/** Removes the noun of the family from an operation id: `createIpPolicy` is `create`. */
function methodName(id: string, nouns: readonly string[]): string {
  const [, verb = '', rest = ''] = /^([a-z]+)(.*)$/.exec(id) ?? [];
  const noun = nouns.find((one) => rest.startsWith(one) && !/^[a-z]/.test(rest.slice(one.length)));
  return noun === undefined ? id : `${verb}${rest.slice(noun.length)}`;
}

/** Returns what a method takes besides path parameters. No operation has both. */
function inputOf(
  { operationId, requestBody, parameters = [] }: DocumentedOperation,
  { parameters: shared }: ApiDocument['components'],
): ClientOperation['takes'] {
  const hasQuery = parameters.some((parameter) => resolved(parameter, shared).in === 'query');
  if (requestBody !== undefined && hasQuery) throw new Error(`${operationId} has a body and a query.`);
  if (requestBody !== undefined) return 'body';
  return hasQuery ? 'query' : undefined;
}

/** Returns the member of a list that has its items. */
function itemsOf(
  { operationId, responses }: DocumentedOperation,
  { schemas }: ApiDocument['components'],
): string | undefined {
  const schema = responses['200']?.content?.['application/json']?.schema;
  if (!operationId.startsWith('list') || schema === undefined) return undefined;
  // The rates of all destinations are read page by page, but belong to the range and the step of their page.
  if (schema.$ref !== undefined && !schema.$ref.endsWith('List')) return undefined;
  const { properties = {} } = resolved<DocumentedSchema>(schema, schemas);
  return Object.entries(properties).find(([, { type }]) => type === 'array')?.[0];
}

/** `HTTP-response backends` is `httpResponseBackends`. */
function camelCase(tag: string): string {
  const [first = '', ...others] = tag.split(/[^A-Za-z0-9]+/).map((word) => word.toLowerCase());
  return [first, ...others.map(capitalized)].join('');
}

function capitalized(word: string): string {
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

function wrapped(text: string): readonly string[] {
  const lines = [''];
  for (const word of text.split(/\s+/)) {
    const line = lines.at(-1) ?? '';
    if (line.length + word.length > 105) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
