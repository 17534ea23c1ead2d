import { isDeepStrictEqual } from 'node:util';
import { invalidInput } from '../../../problems/problem.js';
import type { PendingChange, ResourceBehaviour } from '../../framework/behaviour.js';
import type { Attributes } from '../../framework/definition.js';
import { linksOf } from '../../framework/links.js';
import { failoverBackend } from './failover-backend.js';
import { failoverOrderStore } from './failover-order-store.js';

/** Traffic never falls back to where it came from: nothing leads from a child to its parent. */
export class FailoverBackendBehaviour implements ResourceBehaviour {
  async prepare({ trx, context, id, before, attributes }: PendingChange): Promise<Attributes> {
    // A new one cannot be anyone's child yet, and where the children stay there is nothing to check.
    if (before === null || isDeepStrictEqual(before.attributes.backends, attributes.backends))
      return attributes;
    await failoverOrderStore.lockOrder(trx, context.accountId);
    const children = linksOf(failoverBackend.links ?? [], attributes).map(({ toId }) => toId);
    const leading = await failoverOrderStore.leadingTo(trx, id, children);
    if (leading.size > 0) {
      throw invalidInput(
        children.flatMap((child, index) => {
          if (!leading.has(child)) return [];
          const detail =
            child === id ? 'must not be the backend itself' : `would make a cycle: it falls over to ${id}`;
          return [{ pointer: `/backends/${index}`, detail }];
        }),
      );
    }
    return attributes;
  }
}
