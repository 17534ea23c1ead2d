import { TokenStore } from '../../../accounts/token-store.js';
import { hashToken, mintToken } from '../../../accounts/token.js';
import type { RequestContext } from '../../../http/request-context.js';
import { Problem } from '../../../problems/problem.js';
import type { PendingChange, ResourceBehaviour, WrittenChange } from '../../framework/behaviour.js';
import type { Attributes } from '../../framework/definition.js';

/** Sets the owner of an API key and mints the token, which only the create response contains. */
export class ApiKeyBehaviour implements ResourceBehaviour {
  visibleTo({ principal }: RequestContext): Attributes | null {
    return principal.admin ? null : { owner_id: principal.id };
  }

  prepare({ context, before, attributes }: PendingChange): Attributes {
    if (before !== null) return attributes;
    const { principal } = context;
    const ownerId = attributes.owner_id ?? principal.id;
    if (ownerId !== principal.id && !principal.admin) {
      throw new Problem('forbidden', 'forbidden', 'Only an admin may create an API key for another owner.');
    }
    return { ...attributes, owner_id: ownerId };
  }

  async afterWrite({ trx, row, before }: WrittenChange): Promise<Attributes | void> {
    if (before !== null) return;
    const token = mintToken(row.id);
    await new TokenStore(trx).insert({
      keyId: row.id,
      accountId: row.accountId,
      ownerId: String(row.attributes.owner_id),
      tokenHash: hashToken(token),
    });
    return { token };
  }
}
