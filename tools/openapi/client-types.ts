import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import { resolved, type ApiDocument, type DocumentedOperation } from './api-document.js';

/**
 * Makes the types of `@waybill/client`: every schema, and the parameters, body and response of every operation. The
 * generator can only write to a folder, so it gets a temporary one. A comment of one line gets one line, as elsewhere.
 */
export async function makeClientTypes(document: ApiDocument): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-client-'));
  try {
    await createClient({
      input: withoutConventions(document),
      output: {
        path: folder,
        clean: false,
        entryFile: false,
        fileName: { suffix: null },
        header: '// Generated from docs/openapi.json by "npm run generate".',
      },
      plugins: ['@hey-api/typescript'],
      logs: { level: 'silent', file: false },
    });
    const types = await readFile(join(folder, 'types.ts'), 'utf8');
    return types.replaceAll(/\/\*\*\n\s+\* (.*)\n\s+\*\//g, '/** $1 */');
  } finally {
    await rm(folder, { recursive: true });
  }
}

/**
 * Removes what the client does for every operation: the headers of the request, and the errors. Puts shared parameters
 * of the query into their operations, so that the client has no types of them.
 */
function withoutConventions({ paths, components, ...document }: ApiDocument) {
  const shared = Object.entries(components.parameters);
  const headers = shared.filter(([, parameter]) => parameter.in === 'header');
  const operationOf = ({ parameters = [], responses, ...operation }: DocumentedOperation) => ({
    ...operation,
    parameters: parameters
      .map((parameter) => resolved(parameter, components.parameters))
      .filter((parameter) => parameter.in !== 'header'),
    responses: Object.fromEntries(Object.entries(responses).filter(([status]) => status.startsWith('2'))),
  });
  const operationsOf = (item: ApiDocument['paths'][string]) =>
    Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, operationOf(operation)]));
  return {
    ...document,
    paths: Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, operationsOf(item)])),
    components: { ...components, parameters: Object.fromEntries(headers) },
  };
}
