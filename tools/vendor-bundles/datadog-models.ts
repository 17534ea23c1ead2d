import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { Plugin } from 'rolldown';

const PACKAGES = '@datadog/datadog-api-client/dist/packages';

/** The client's own transport. Waybill brings its own one (src/targets/datadog-logs/transport.ts). */
const TRANSPORT = /(^|\/)http\/isomorphic-fetch$/;

/** Id of the empty module that replaces the modules that are left out. */
const EMPTY = '\0left-out';

/** Types that the client's log intake reads and writes: without one of them, the package has changed its structure. */
const INTAKE_TYPES = ['HTTPLogItem', 'HTTPLogErrors', 'HTTPLogError', 'ContentEncoding'];

/**
 * Makes the plugin that leaves out the models of Datadog's other APIs. The client's serializer imports 8,000 models,
 * one for each type of every API. A bundler cannot know which ones it looks up by name. The plugin keeps the types that
 * the log API names, and all types that they refer to. For any other type the serializer throws its own error `unknown
 * type`, so no caller gets a wrong result.
 * @param root folder of the project
 * @throws Error when the package is not as expected
 */
export async function datadogModels(root: string): Promise<Plugin> {
  const require = createRequire(path.join(root, 'package.json'));
  const api = require.resolve(`${PACKAGES}/datadog-api-client-v2/apis/LogsApi.js`);
  const serializer = require.resolve(`${PACKAGES}/datadog-api-client-v2/models/ObjectSerializer.js`);
  const kept = await reachableModels(api, path.dirname(serializer));
  const absent = INTAKE_TYPES.filter((type) => !kept.has(type));
  if (absent.length > 0)
    throw new Error(`The Datadog client does not name these types any more: ${absent.join(', ')}.`);
  return {
    name: 'datadog-models',
    resolveId(source, importer) {
      const model = /^\.\/(\w+)$/.exec(source)?.[1];
      if (importer === serializer && model !== undefined && !kept.has(model)) return EMPTY;
      if (importer?.includes('/@datadog/datadog-api-client/') && TRANSPORT.test(source)) return EMPTY;
      return null;
    },
    load(id) {
      return id === EMPTY ? 'module.exports = {};' : null;
    },
  };
}

/**
 * Returns the names of the models that an API needs: those in its string literals, by which it asks the serializer, and
 * those that the declarations of kept models import.
 */
async function reachableModels(api: string, folder: string): Promise<ReadonlySet<string>> {
  const declarations = (await readdir(folder)).filter((file) => file.endsWith('.d.ts'));
  const models = new Set(declarations.map((file) => path.basename(file, '.d.ts')));
  const source = await readFile(api, 'utf8');
  const literals = [...source.matchAll(/"([^"\n]*)"/g)].map(([, text = '']) => text);
  const kept = new Set(literals.flatMap((text) => text.match(/\w+/g) ?? []).filter((name) => models.has(name)));
  // The loop also visits the models that are added to the set.
  for (const model of kept) {
    const declaration = await readFile(path.join(folder, `${model}.d.ts`), 'utf8');
    for (const [, name = ''] of declaration.matchAll(/ from "\.\/(\w+)"/g)) if (models.has(name)) kept.add(name);
  }
  return kept;
}
