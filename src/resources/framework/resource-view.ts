import { createHash } from 'node:crypto';
import type { Database, Transaction } from '../../database/database.js';
import { Versioned } from '../../http/etag.js';
import type { RequestContext } from '../../http/request-context.js';
import type { ResourceBehaviour } from './behaviour.js';
import type { ResourceDefinition, ResourceRow } from './definition.js';
import { represent, type Representation } from './representation.js';

/** Shows the resources of one family, with the members that follow from others. */
export class ResourceView {
  constructor(
    private readonly definition: ResourceDefinition,
    private readonly behaviour: ResourceBehaviour,
  ) {}

  /** Shows resources, in the order given. */
  async toResponses(
    db: Database | Transaction,
    context: RequestContext,
    rows: readonly ResourceRow[],
  ): Promise<readonly Representation[]> {
    const related = rows.length === 0 ? [] : await this.behaviour.derivedMembers?.(db, rows, context.baseUrl);
    return rows.map((row, index) => represent(this.definition, row, context.baseUrl, related?.[index]));
  }

  /** Shows one resource, with its version. */
  async toResponse(
    db: Database | Transaction,
    context: RequestContext,
    row: ResourceRow,
  ): Promise<Versioned<Representation>> {
    const [shown] = await this.toResponses(db, context, [row]);
    if (!shown) throw new Error('A resource was not shown.');
    return new Versioned(shown, row.version, this.behaviour.derivedMembers ? digestOf(shown) : null);
  }
}

/** Twelve hexadecimal digits that tell one representation from the next. */
function digestOf(shown: Representation): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('hex').slice(0, 12);
}
