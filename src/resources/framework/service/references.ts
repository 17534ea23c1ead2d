import { z } from 'zod';
import type { Database } from '../../../database/database.js';
import type { RequestContext } from '../../../http/request/request-context.js';
import { pageSchema } from '../../../http/response/pagination.js';
import type { ResourceDefinition } from '../definition/definition.js';
import { uriOf } from '../definition/links.js';
import { ReferenceStore, type Referrer, type Restriction } from '../store/reference-store.js';
import type { ResourceService } from './resource-service.js';

/** The resource that refers to another one, as a list shows it. */
const referenceSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the resource that refers to this one.' }),
    uri: z.string().meta({ description: 'Its address.' }),
    family: z
      .string()
      .meta({ description: 'Its family, as its event types begin: `ip_policy_rule`.', example: 'ip_policy_rule' }),
    fields: z.array(z.string()).meta({
      description:
        'Its members that hold the id of this resource, as dotted paths: `ip_policy`, or `backend.backend` for a member of a module.',
      example: ['ip_policy'],
    }),
  })
  .meta({ id: 'Reference' });

type Reference = z.infer<typeof referenceSchema>;

/** A page of the resources that refer to a resource. */
export const pageOfReferences = pageSchema('references', referenceSchema)
  .extend({
    references: z.array(referenceSchema).meta({ description: 'By id, descending: of each family, newest first.' }),
  })
  .meta({ id: 'ReferenceList', description: 'A page of the resources that refer to one.' });

/** Finds the resources that refer to a resource. */
export class References {
  private readonly store: ReferenceStore;
  private readonly families: ReadonlyMap<string, ResourceDefinition>;

  /** @param services those of all families: any of them may refer to any resource */
  constructor(
    db: Database,
    private readonly services: readonly ResourceService[],
  ) {
    this.store = new ReferenceStore(db);
    this.families = new Map(services.map(({ definition }) => [definition.name, definition]));
  }

  /** Returns at most `limit` resources that refer to this one and that the caller may see, by id, descending. */
  async to(
    context: RequestContext,
    definition: ResourceDefinition,
    id: string,
    { limit, beforeId }: { readonly limit: number; readonly beforeId: string | undefined },
  ): Promise<readonly Reference[]> {
    const { accountId, baseUrl } = context;
    const part = { accountId, toId: id, limit, beforeId };
    const restrictions = this.restrictionsOf(context);
    const linked = await this.store.linked(part, restrictions);
    const children = definition.children ? await this.store.children(part, restrictions) : [];
    const all = [...linked, ...children];
    return [...new Set(all.map((referrer) => referrer.id))]
      .map((referrerId) => all.filter((referrer) => referrer.id === referrerId))
      .map((referrers) => this.referenceOf(referrers, baseUrl))
      .toSorted((one, other) => (one.id < other.id ? 1 : -1))
      .slice(0, limit);
  }

  private restrictionsOf(context: RequestContext): readonly Restriction[] {
    return this.services.flatMap((service) => {
      const containing = service.visibleTo(context);
      return containing === null ? [] : [{ kind: service.definition.name, containing }];
    });
  }

  /** @param referrers the same resource, once for its links and once as a child */
  private referenceOf(referrers: readonly Referrer[], baseUrl: string): Reference {
    const [first] = referrers;
    const family = this.families.get(first?.kind ?? '');
    if (!first || !family) throw new Error(`A reference is from an unknown family: ${first?.kind}`);
    return {
      id: first.id,
      uri: uriOf(family, first.id, family.relativeUri ? '' : baseUrl, first.parentId),
      family: family.name,
      fields: referrers.flatMap(({ roles }) => fieldsOf(family, roles)).toSorted(),
    };
  }
}

/** Returns the members of a response that hold the ids of these links. @param roles null: the parent */
function fieldsOf({ links = [], parent }: ResourceDefinition, roles: Referrer['roles']): readonly string[] {
  if (roles === null) return parent ? [parent.parameter] : [];
  return roles.map((role) => links.find(({ field }) => field === role)?.as ?? role);
}
