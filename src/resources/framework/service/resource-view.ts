import { createHash } from 'node:crypto';
import type { Database, Transaction } from '../../../database/database.js';
import type { BaseUrl } from '../../../http/request/base-url.js';
import type { RequestContext } from '../../../http/request/request-context.js';
import { Versioned } from '../../../http/response/etag.js';
import type { ResourceBehaviour } from '../definition/behaviour.js';
import type { Bases, ResourceDefinition, ResourceRow } from '../definition/definition.js';
import { represent, type Representation } from './representation.js';

/** Makes the representations of the resources of one family, with their derived members. */
export class ResourceView {
  constructor(
    private readonly definition: ResourceDefinition,
    private readonly behaviour: ResourceBehaviour,
    private readonly addresses: Pick<BaseUrl, 'saml'>,
  ) {}

  /** Returns the representations of resources, in their order. */
  async toResponses(
    db: Database | Transaction,
    context: RequestContext,
    rows: readonly ResourceRow[],
  ): Promise<readonly Representation[]> {
    const derived = rows.length === 0 ? [] : await this.behaviour.derivedMembers?.(db, rows, context.baseUrl);
    return rows.map((row, index) => represent(this.definition, row, this.bases(context), derived?.[index]));
  }

  /** Returns the bases of the addresses in a representation. */
  bases({ baseUrl }: Pick<RequestContext, 'baseUrl'>): Bases {
    return { baseUrl, samlUrl: this.addresses.saml };
  }

  /** Returns the representation of one resource with its version. */
  async toResponse(
    db: Database | Transaction,
    context: RequestContext,
    row: ResourceRow,
  ): Promise<Versioned<Representation>> {
    const [representation] = await this.toResponses(db, context, [row]);
    if (!representation) throw new Error('A resource has no representation.');
    const digest = this.behaviour.derivedMembers ? digestOf(representation) : null;
    return new Versioned(representation, row.version, digest);
  }
}

/** Returns twelve hexadecimal digits of the hash of a representation. */
function digestOf(representation: Representation): string {
  return createHash('sha256').update(JSON.stringify(representation)).digest('hex').slice(0, 12);
}
