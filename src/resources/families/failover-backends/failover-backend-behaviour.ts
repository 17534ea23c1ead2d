import { isDeepStrictEqual } from 'node:util';
import { AccountStore } from '../../../accounts/account-store.js';
import { invalidInput } from '../../../problems/problem.js';
import type { PendingChange, ResourceBehaviour } from '../../framework/definition/behaviour.js';
import type { Attributes } from '../../framework/definition/definition.js';
import { linksOf } from '../../framework/definition/links.js';
import { failoverBackend } from './failover-backend.js';
import { findReaching } from './failover-order-store.js';

/** Refuses cycles: no child may fail over to its parent. */
export class FailoverBackendBehaviour implements ResourceBehaviour {
  async prepare({ trx, context, id, before, attributes }: PendingChange): Promise<Attributes> {
    // A new backend is no child yet, and unchanged children cannot create a cycle.
    if (before === null || isDeepStrictEqual(before.attributes.backends, attributes.backends)) return attributes;
    // Otherwise two concurrent updates could each add half of a cycle.
    await new AccountStore(trx).lock(context.accountId);
    const children = linksOf(failoverBackend.links ?? [], attributes).map(({ toId }) => toId);
    const cyclic = await findReaching(trx, id, children);
    if (cyclic.size > 0) {
      throw invalidInput(
        children.flatMap((child, index) => {
          if (!cyclic.has(child)) return [];
          const detail =
            child === id ? 'must not be the backend itself' : `would create a cycle: the child fails over to ${id}`;
          return [{ pointer: `/backends/${index}`, detail }];
        }),
      );
    }
    return attributes;
  }
}
