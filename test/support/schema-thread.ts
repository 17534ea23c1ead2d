import { createHash, randomUUID } from 'node:crypto';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * Bundles the thread of schemas, since a thread of Node loads no TypeScript. Packages stay outside of the bundle.
 * Several calls may do this at once.
 * @param root folder of the project
 * @returns the URL of the bundle
 */
export async function bundledSchemaThread(root: string): Promise<URL> {
  const input = path.join(root, 'src/events/resource-types/schemas/schema-thread.ts');
  const bundle = await rolldown({ cwd: root, input, platform: 'node', external: /^[^./]/ });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const { code } = output[0];
  const folder = path.join(root, 'node_modules/.cache/waybill-threads');
  const file = path.join(folder, `${createHash('sha256').update(code).digest('hex').slice(0, 16)}.mjs`);
  await mkdir(folder, { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, code);
  await rename(draft, file);
  return pathToFileURL(file);
}
