import type { z } from 'zod';

/** What it takes to name and address resources of a family. */
export interface ResourceKind {
  /** Singular, in snake case: the `kind` of its rows and the first part of its event types. */
  readonly name: string;
  /** Type prefix of its ids, such as `ipp`. */
  readonly prefix: string;
  /** Collection path, such as `/ip_policies`; inside a parent with its parameter, such as `/edges/https/:edge_id/routes`. */
  readonly path: string;
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
  /** Whether that object makes no sense without it, or what decides it by that object. */
  readonly required: boolean | ((holder: Attributes) => boolean);
  /**
   * Names beside it in that object that it goes with, such as the id of the client whose secret it is: where one of them
   * changes, a secret that is left out is not kept. Otherwise someone who may not see it could send it elsewhere.
   */
  readonly keptWhileUnchanged?: readonly string[];
}

/**
 * A part of a resource that can also be replaced, read and removed by routes of its own (`PUT`, `GET` and `DELETE
 * <resource>/{id}/<name>`). In a create or update of the resource: left out or null, it stays as it is; given, it replaces the
 * whole part. It is a schema plus a name.
 */
export interface ModuleDefinition<
  Input extends z.ZodObject = z.ZodObject,
  Read extends z.ZodObject = z.ZodObject,
> {
  /** Member of the resource, and last segment of the path. */
  readonly name: string;
  /** What people call it. */
  readonly title: string;
  /** The body of a replacement; its output is what is stored. */
  readonly input: Input;
  /** What is returned. */
  readonly read: Read;
  /** Links within the module; paths are relative to it. */
  readonly links?: readonly LinkDefinition[];
  /** Secrets within the module; paths are relative to it. */
  readonly secrets?: readonly SecretDefinition[];
  /** Members of `read` that are not stored, from the resource that has the module. */
  readonly derive?: (row: ResourceRow, baseUrl: string) => Attributes;
}

/** A rule that the database enforces: a unique index over the family's rows. */
export interface UniqueRule {
  /** Name of the index. */
  readonly index: string;
  /** What the client is told when another resource is in the way. */
  readonly detail: (attributes: Attributes) => string;
}

/** Where a family lives that exists within another resource. */
export interface ParentDefinition {
  /** The path parameter that holds the parent's id, and a body field that may repeat it. */
  readonly parameter: string;
  readonly kind: ResourceKind;
  /** What people call the parent. */
  readonly title: string;
}

/** What clients may do with the resources of a family. */
export const familyOperations = ['create', 'list', 'get', 'update', 'delete'] as const;
export type FamilyOperation = (typeof familyOperations)[number];

/** A stored resource. */
export interface ResourceRow {
  readonly id: string;
  readonly accountId: string;
  readonly parentId: string | null;
  /** The lease that it exists under: once that has lapsed, nobody sees it any more. Null: it stays until it is deleted. */
  readonly leaseId: string | null;
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
  /** Key of the items in a list answer. */
  readonly listKey: string;
  /** What people call one of them, and several: for docs and error messages. */
  readonly title: { readonly one: string; readonly many: string };
  /** One paragraph on what it is for, for the docs. */
  readonly summary: string;
  /** The routes that it has; all of them unless given. Events are emitted for every change, whoever makes it. */
  readonly operations?: readonly FamilyOperation[];
  /** The body of a create; its output is what is stored, so every attribute has a value or a default. */
  readonly create: Create;
  /** The body of an update: each field optional; what is left out stays as it is. */
  readonly update: Update;
  /** What is returned and what events carry; the order of its members is the order of the answer. */
  readonly read: Read;
  readonly links?: readonly LinkDefinition[];
  readonly secrets?: readonly SecretDefinition[];
  /** Parts with routes of their own, in the order in which they are shown. */
  readonly modules?: readonly ModuleDefinition[];
  readonly unique?: readonly UniqueRule[];
  /** The resource that each one exists within. */
  readonly parent?: ParentDefinition;
  /** Families whose resources exist within one of these: deleted with it, each with its event. */
  readonly children?: () => readonly ResourceDefinition[];
  /** Shows `uri` as a path instead of an address: the interface has one family that does. */
  readonly relativeUri?: true;
  /** Members of `read` that are not attributes, from the row. Those that depend on settings: `ResourceBehaviour.related`. */
  readonly derive?: (row: ResourceRow, baseUrl: string) => Attributes;
}

/**
 * Declares a family: the links and secrets of its modules become its own. Gives the definition back with its exact types.
 */
export function defineResource<
  const Name extends string,
  Create extends z.ZodObject,
  Update extends z.ZodObject,
  Read extends z.ZodObject,
>(
  definition: ResourceDefinition<Name, Create, Update, Read>,
): ResourceDefinition<Name, Create, Update, Read> {
  const modules = definition.modules ?? [];
  return {
    ...definition,
    links: [...(definition.links ?? []), ...modules.flatMap(linksWithin)],
    secrets: [...(definition.secrets ?? []), ...modules.flatMap(secretsWithin)],
  };
}

function linksWithin({ name, links = [] }: ModuleDefinition): readonly LinkDefinition[] {
  return links.map((link) => ({
    ...link,
    field: `${name}.${link.field}`,
    ...(link.as !== undefined && { as: `${name}.${link.as}` }),
  }));
}

function secretsWithin({ name, secrets = [] }: ModuleDefinition): readonly SecretDefinition[] {
  return secrets.map((secret) => ({ ...secret, path: `${name}.${secret.path}` }));
}
