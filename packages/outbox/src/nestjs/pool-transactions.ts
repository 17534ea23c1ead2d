import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';
import type { EventContext } from '../context.js';
import { transaction } from '../transaction.js';
import type { OutboxTransactions } from './outbox-transactions.js';

/** A transaction. Code that still runs after its end must not use the client, which then belongs to another one. */
interface OpenTransaction {
  readonly client: PoolClient;
  ended: boolean;
  /** The error of an inner call, which its caller may have caught. */
  failure: { readonly cause: unknown } | null;
}

/** Transactions on a pool of node-postgres. The current one is known to everything that `work` awaits. */
export class PoolTransactions implements OutboxTransactions {
  private readonly storage = new AsyncLocalStorage<OpenTransaction>();

  /** @param context of each new transaction, for triggers */
  constructor(
    private readonly pool: Pool,
    private readonly context: (() => EventContext) | undefined,
  ) {}

  current(): PoolClient | undefined {
    return this.open()?.client;
  }

  /**
   * As the interface says. An inner call that fails makes the whole transaction fail, also if the error is caught: its
   * changes must not be committed without their events.
   */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    const outer = this.open();
    if (!outer) return this.runNew(work);
    try {
      return await work();
    } catch (error) {
      outer.failure ??= { cause: error };
      throw error;
    }
  }

  private open(): OpenTransaction | undefined {
    const current = this.storage.getStore();
    return current?.ended === false ? current : undefined;
  }

  private runNew<Result>(work: () => Promise<Result>): Promise<Result> {
    return transaction(this.pool, this.context?.() ?? {}, async (client) => {
      const open: OpenTransaction = { client, ended: false, failure: null };
      try {
        const result = await this.storage.run(open, work);
        if (open.failure)
          throw new Error('The transaction was rolled back, because a part of it failed.', open.failure);
        return result;
      } finally {
        open.ended = true;
      }
    });
  }
}
