import type { Selectable } from 'kysely';
import { z } from 'zod';
import type { ResourcesTable } from '../../../database/tables.js';

/** Name and address of the resources of a family. */
export interface ResourceKind {
  /** Singular, in snake case: the `kind` of its rows and the first part of its event types. */
  readonly name: string;
  /** Prefix of its ids, such as `ipp`. */
  readonly prefix: string;
  /** Path of the collection: `/ip_policies`, or with a parent `/edges/https/:edge_id/routes`. */
  readonly path: string;
}

/** A field with the id, or a list of ids, of other resources. */
export interface LinkDefinition {
  /** Dotted path of the field, and role of the link: `ip_policy_id`, `backend.backend_id`. */
  readonly field: string;
  /**
   * Dotted path of the Refs in responses: `ip_policy`, `backend.backend`. Absent: the response has the plain id.
   */
  readonly as?: string;
  /** Families that the link may target. */
  readonly to: readonly [ResourceKind, ...ResourceKind[]];
}

/** An attribute that is stored encrypted and is null in `attributes`, responses and events. */
export interface SecretDefinition {
  /** Dotted path in the attributes. The secret can exist only while its parent object exists. */
  readonly path: string;
  /** Whether the parent object requires the secret, or a function that decides it. */
  readonly required: boolean | ((parent: Attributes) => boolean);
  /**
   * Sibling fields that the secret belongs to, such as the id of the OAuth client. If one changes, an omitted secret is
   * not kept. Otherwise a caller that cannot read the secret could have it sent to another party.
   */
  readonly keptWhileUnchanged?: readonly string[];
}

/**
 * A part of a resource with its own routes: `PUT`, `GET` and `DELETE <resource>/{id}/<name>`. In a create or update of
 * the resource an absent or null module stays unchanged, and any other value replaces the whole module.
 */
export interface ModuleDefinition {
  /** Member of the resource and last segment of the path. */
  readonly name: string;
  /** Title in texts. */
  readonly title: string;
  /** Schema of the body of a replacement; its output is stored. */
  readonly input: z.ZodObject;
  /** Schema of the response. */
  readonly read: z.ZodObject;
  /** Links in the module, with paths relative to it. */
  readonly links?: readonly LinkDefinition[];
  /** Secrets in the module, with paths relative to it. */
  readonly secrets?: readonly SecretDefinition[];
  /** Returns members of `read` that derive from the resource. */
  readonly derive?: (row: ResourceRow, bases: Bases) => Attributes;
}

/** Bases of the addresses in responses and events, without a slash at their ends. */
export interface Bases {
  /** Base of every `uri`. */
  readonly baseUrl: string;
  /** Base of the addresses of SAML service providers, which no request changes. */
  readonly samlUrl: string;
}

/** A unique index over the rows of the family. */
export interface UniqueRule {
  /** Name of the index. */
  readonly index: string;
  /** Returns the detail of the conflict. */
  readonly detail: (attributes: Attributes) => string;
}

/** The parent of a family's resources. */
export interface ParentDefinition {
  /** Path parameter with the id of the parent. A body may repeat it as a field. */
  readonly parameter: string;
  readonly kind: ResourceKind;
  /** Title of the parent in texts. */
  readonly title: string;
}

/** Operations that a family can offer to clients. */
export const familyOperations = ['create', 'list', 'get', 'update', 'delete'] as const;
export type FamilyOperation = (typeof familyOperations)[number];

/** A stored resource. */
export type ResourceRow = Readonly<Selectable<ResourcesTable>>;

/** Stored attributes of a resource: ids for links, null for secrets. */
export type Attributes = Readonly<Record<string, unknown>>;

/** Definition of a resource family. Routes, storage, events and OpenAPI derive from it. */
export interface ResourceDefinition extends ResourceKind {
  /** Key of the items in a list response. */
  readonly listKey: string;
  /** Singular and plural title, for docs and error messages. */
  readonly title: { readonly one: string; readonly many: string };
  /** Description for the docs, one paragraph. */
  readonly summary: string;
  /** Operations offered to clients; all by default. Changes by the service emit events too. */
  readonly operations?: readonly FamilyOperation[];
  /** Whether a page takes Postgres long, so that it takes a turn of costly requests (docs/decisions/limits.md). */
  readonly costlyList?: true;
  /** Schema of the body of a create. Its output is stored, so every attribute needs a value or a default. */
  readonly create: z.ZodObject;
  /** Schema of the body of an update. Every field is optional; absent fields stay unchanged. */
  readonly update: z.ZodObject;
  /** Schema of responses and of the `object` of events. Responses have its order of members. */
  readonly read: z.ZodObject;
  /** Members that a key with the role `operator` may update, in a body without any other member. */
  readonly operable?: readonly string[];
  readonly links?: readonly LinkDefinition[];
  readonly secrets?: readonly SecretDefinition[];
  /** Parts with their own routes, in the order of the response. */
  readonly modules?: readonly ModuleDefinition[];
  readonly unique?: readonly UniqueRule[];
  /**
   * Query parameters that limit the list to resources with one of the given values: of `id`, or of the top-level
   * attribute of this name.
   */
  readonly filters?: Readonly<Record<string, z.ZodOptional<z.ZodType<string[]>>>>;
  /** Parent of each resource. */
  readonly parent?: ParentDefinition;
  /** Families whose resources have a parent of this family. They are deleted with it, each with its event. */
  readonly children?: () => readonly ResourceDefinition[];
  /**
   * Query parameter of the deletion by which the client deletes the dependents of a resource with it. The behaviour
   * finds them.
   */
  readonly deletesDependents?: { readonly parameter: string; readonly description: string };
  /** Most resources of the family that the clients of an account can create, unless QUOTAS says otherwise. */
  readonly quota?: number;
  /** Makes `uri` a path instead of an absolute address (agent ingresses). */
  readonly relativeUri?: true;
  /**
   * Returns members of `read` that derive from the row. For settings, use `ResourceBehaviour.derivedMembers`.
   */
  readonly derive?: (row: ResourceRow, baseUrl: string) => Attributes;
}

type Defaulted = 'listKey' | 'create' | 'update';

/**
 * Returns the definition of a family. The default of `listKey` is the last segment of the path, and that of the bodies
 * has no members. In the OpenAPI document, `read` is named after the family. The links and secrets of the modules are
 * added to the family's own.
 */
export function defineResource(
  given: Omit<ResourceDefinition, Defaulted> & Partial<Pick<ResourceDefinition, Defaulted>>,
): ResourceDefinition {
  const { name, path, modules = [], links = [], secrets = [] } = given;
  return {
    listKey: path.split('/').at(-1) ?? '',
    create: z.strictObject({}),
    update: z.strictObject({}),
    ...given,
    read: given.read.meta({ id: pascalCase(name) }),
    links: [...links, ...modules.flatMap(linksWithin)],
    secrets: [...secrets, ...modules.flatMap(secretsWithin)],
  };
}

/** `ip_policy` and `IP policy` as `IpPolicy`. */
export function pascalCase(name: string): string {
  return name.toLowerCase().replaceAll(/(?:^|[^a-z0-9]+)([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
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
