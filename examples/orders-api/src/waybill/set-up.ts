import { access, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { resourceTypes, type ResourceType } from './resource-types.js';
import type { WaybillApi } from './waybill-api.js';

const registeredType = z.object({ id: z.string(), name: z.string() });
const registeredTypes = z.object({ resource_types: z.array(registeredType), next_page_uri: z.url().nullable() });
const createdKey = z.object({ token: z.string() });

/** Registers the resource types, and updates those that exist. Repeatable: each deploy can run it. */
export async function registerTypes(api: WaybillApi): Promise<void> {
  const ids = await registeredIds(api);
  for (const type of resourceTypes) {
    const id = ids.get(type.name);
    if (id === undefined) await api.send('POST', '/resource_types', registeredType, type);
    else await api.send('PATCH', `/resource_types/${id}`, registeredType, withoutName(type));
  }
}

/** Makes a key that can only publish and writes it to a file, unless the file exists. Waybill shows a key once. */
export async function writePublisherKey(api: WaybillApi, file: string): Promise<void> {
  const exists = await access(file).then(
    () => true,
    () => false,
  );
  if (exists) return;
  const { token } = await api.send('POST', '/api_keys', createdKey, {
    role: 'publisher',
    description: 'relay of the orders API',
  });
  await writeFile(file, token, { mode: 0o600, flag: 'wx' });
}

/** Returns the ids of the registered types by name, from all pages of the list. */
async function registeredIds(api: WaybillApi): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  let path: string | null = '/resource_types';
  while (path !== null) {
    const page: z.infer<typeof registeredTypes> = await api.send('GET', path, registeredTypes);
    for (const { id, name } of page.resource_types) ids.set(name, id);
    path = page.next_page_uri === null ? null : pathOf(page.next_page_uri);
  }
  return ids;
}

/** The address of the next page may have another host than the one that this network uses. */
function pathOf(address: string): string {
  const { pathname, search } = new URL(address);
  return `${pathname}${search}`;
}

function withoutName({ name: _name, ...update }: ResourceType): Omit<ResourceType, 'name'> {
  return update;
}
