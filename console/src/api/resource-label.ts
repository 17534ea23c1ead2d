import type { Resource } from './resources.js';

/** Members that name a resource for people, the first that is set. */
const names = [
  'description',
  'name',
  'title',
  'domain',
  'url',
  'addr',
  'cidr',
  'match',
  'subject_common_name',
  'region',
];

/** Returns what names a resource for people: its description, its name or its address; its id without any. */
export function labelOf(resource: Resource): string {
  for (const name of names) {
    const value = resource[name];
    if (typeof value === 'string' && value.trim() !== '') return value;
  }
  const { hostports } = resource;
  const [first]: readonly unknown[] = Array.isArray(hostports) ? hostports : [];
  return typeof first === 'string' ? first : resource.id;
}

/** Returns when a resource came into being; undefined where its family does not say so. */
export function beginOf({ created_at: created, started_at: started }: Resource): string | undefined {
  const begin = created ?? started;
  return typeof begin === 'string' ? begin : undefined;
}

/** Returns the description of a resource; its id where it has none. */
export function nameOrId(description: string | null | undefined, id: string): string {
  return description === null || description === undefined || description === '' ? id : description;
}
