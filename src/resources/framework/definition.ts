import type { z } from 'zod';

/** What it takes to name and address resources of a family. */
export interface ResourceKind {
  /** Singular, in snake case: the `kind` of its rows and the first part of its event types. */
  readonly name: string;
  /** Type prefix of its ids, such as `ipp`. */
  readonly prefix: string;
  /** Collection path, such as `/ip_policies`. Null: refers to nothing that can be read (users). */
  readonly path: string | null;
}

/** A field that holds the id, or the list of ids, of other resources. */
export interface LinkDefinition {
  /** Dotted path of the id or ids in the attributes, and the role of the link: `ip_policy_id`, `backend.backend_id`. */
  readonly field: string;
  /** Dotted path under which they are shown as Refs: `ip_policy`, `backend.backend`. Left out: shown as the plain id. */
  readonly as?: string;
  /** Families that it may point to. A function, since families may point to each other. */
  readonly to: () => readonly ResourceKind[];
}

/** An attribute that is sealed at rest, never shown, and null in `attributes`. */
export interface SecretDefinition {
  /** Dotted path in the attributes. The secret exists where the object that holds it exists. */
  readonly path: string;
  /** Whether that object makes no sense without it. */
  readonly required: boolean;
}

/** A stored resource. */
export interface ResourceRow {
  readonly id: string;
  readonly accountId: string;
  readonly parentId: string | null;
  readonly attributes: Attributes;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** What a resource holds, as stored: ids for links, null for secrets. */
export type Attributes = Readonly<Record<string, unknown>>;

/** A family of resources: routes, storage, events, OpenAPI and types all follow from it. */
export interface ResourceDefinition<
  Name extends string = string,
  Create extends z.ZodObject = z.ZodObject,
  Update extends z.ZodObject = z.ZodObject,
  Read extends z.ZodObject = z.ZodObject,
> extends ResourceKind {
  readonly name: Name;
  readonly path: string;
  /** Key of the items in a list answer. */
  readonly listKey: string;
  /** What people call one of them, and several: for docs and error messages. */
  readonly title: { readonly one: string; readonly many: string };
  /** One paragraph on what it is for, for the docs. */
  readonly summary: string;
  /** The body of a create; its output is what is stored, so every attribute has a value or a default. */
  readonly create: Create;
  /** The body of an update: each field optional; what is left out stays as it is. */
  readonly update: Update;
  /** What is returned and what events carry; the order of its members is the order of the answer. */
  readonly read: Read;
  readonly links?: readonly LinkDefinition[];
  readonly secrets?: readonly SecretDefinition[];
  /** Members of `read` that are not attributes, from the row. */
  readonly derive?: (row: ResourceRow, baseUrl: string) => Attributes;
}

/** Declares a family. Gives the definition back with its exact types. */
export function defineResource<
  const Name extends string,
  Create extends z.ZodObject,
  Update extends z.ZodObject,
  Read extends z.ZodObject,
>(
  definition: ResourceDefinition<Name, Create, Update, Read>,
): ResourceDefinition<Name, Create, Update, Read> {
  return definition;
}
