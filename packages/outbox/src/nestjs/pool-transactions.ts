import { AsyncLocalStorage } from 'node:async_hooks';
import type { Pool, PoolClient } from 'pg';
import { setContext, type EventContext } from '../context.js';
import type { OutboxTransactions } from './outbox-transactions.js';

/** A transaction. Code that still runs after its end must not use the client, which then belongs to another one. */
interface OpenTransaction {
  readonly client: PoolClient;
  ended: boolean;
  /** The error of an inner call, which its caller may have caught. */
  failure: { readonly cause: unknown } | null;
}

/** A lost connection fails its next statement. Without a listener, it would end the process before. */
function ignoreLoss(): void {}

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
    const transaction = this.storage.getStore();
    return transaction?.ended === false ? transaction : undefined;
  }

  private async runNew<Result>(work: () => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    const transaction: OpenTransaction = { client, ended: false, failure: null };
    let broken = false;
    client.on('error', ignoreLoss);
    try {
      await client.query('begin');
      if (this.context) await setContext(client, this.context());
      const result = await this.storage.run(transaction, work);
      if (transaction.failure) {
        throw new Error('The transaction was rolled back, because a part of it failed.', transaction.failure);
      }
      transaction.ended = true;
      const { command } = await client.query('commit');
      // The answer where a statement has failed, and its error was caught.
      if (command !== 'COMMIT') throw new Error('The transaction was rolled back, because a statement of it failed.');
      return result;
    } catch (error) {
      transaction.ended = true;
      await client.query('rollback').catch(() => {
        broken = true;
      });
      throw error;
    } finally {
      client.off('error', ignoreLoss);
      client.release(broken);
    }
  }
}
