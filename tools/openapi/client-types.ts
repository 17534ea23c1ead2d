import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';
import type { ApiDocument, DocumentedOperation } from './api-document.js';

/**
 * Makes the types of `@waybill/client`: every schema, and the parameters, body and response of every operation. The
 * generator can only write to a folder, so it gets a temporary one. A comment of one line gets one line, as elsewhere.
 */
export async function makeClientTypes(document: ApiDocument): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-client-'));
  try {
    await createClient({
      input: { ...document, paths: mapOperations(document.paths, withoutConventions) },
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

function mapOperations(
  paths: ApiDocument['paths'],
  map: (operation: DocumentedOperation) => DocumentedOperation,
): ApiDocument['paths'] {
  const mapped = Object.entries(paths).map(([path, item]) => {
    const operations = Object.entries(item).map(([method, operation]) => [method, map(operation)]);
    return [path, Object.fromEntries(operations)];
  });
  return Object.fromEntries(mapped);
}

/** Removes what the client does for every operation: the headers of the request, and the errors. */
function withoutConventions(operation: DocumentedOperation): DocumentedOperation {
  const { parameters = [], responses } = operation;
  return {
    ...operation,
    parameters: parameters.filter((parameter) => !('$ref' in parameter)),
    responses: Object.fromEntries(Object.entries(responses).filter(([status]) => status.startsWith('2'))),
  };
}
