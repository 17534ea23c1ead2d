import { generatedFamilies } from './generated/families.js';

/** A kind of resource. */
export interface Family {
  /** As event types begin: `ip_policy`. */
  readonly name: string;
  /** Of the ids of its resources: `ipp`. */
  readonly prefix: string;
  /** Path of its list, with the id of the parent in braces. */
  readonly path: string;
  /** Member of a list that has the resources. */
  readonly listKey: string;
  /** Title of one resource, and of many. */
  readonly one: string;
  readonly many: string;
  /** What the resources are for. */
  readonly summary: string;
  readonly isListed: boolean;
  /** Whether clients create the resources; otherwise the service does. */
  readonly isCreated: boolean;
  readonly hasHistory: boolean;
  /** The family that the resources are parts of, and the member with the id. */
  readonly parent: { readonly parameter: string; readonly family: string } | null;
  /** The families that the resources refer to. */
  readonly refersTo: readonly string[];
  /** Members that are objects with routes of their own. */
  readonly modules: readonly string[];
  /** Dotted paths of members that no response has. */
  readonly secrets: readonly string[];
}

/** Every family, by title. */
export const families: readonly Family[] = generatedFamilies;

const suffix = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/;

/** Returns the family with a name; undefined for none. */
export function familyNamed(name: string): Family | undefined {
  return families.find((family) => family.name === name);
}

/** Returns the family of a resource by its id; undefined for anything else. */
export function familyOfId(id: string): Family | undefined {
  const end = id.lastIndexOf('_');
  return suffix.test(id.slice(end + 1)) ? families.find(({ prefix }) => prefix === id.slice(0, end)) : undefined;
}

/** Returns the path of a family's list. @param parent id of the parent, where the family has one */
export function listPath({ path }: Family, parent: string | undefined): string {
  return path.replace(/\{\w+\}/, encodeURIComponent(parent ?? ''));
}

/** Title of a family at the beginning of a sentence: `Bot users`. */
export function capitalized(title: string): string {
  return title.charAt(0).toUpperCase() + title.slice(1);
}
