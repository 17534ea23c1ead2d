import { AsyncLocalStorage } from 'node:async_hooks';
import { setContext, type EventContext } from './context.js';
import { assertCommittable } from './fail-transaction.js';
import type { QueryRunner } from './query-runner.js';

/** The transactions of an application, for the recorder of `@waybill/outbox/nestjs`. */
export interface OutboxTransactions {
  /** Returns what runs queries in the current transaction; undefined outside of one. */
  current(): QueryRunner | undefined;
  /** Runs `work` in the current transaction, or in a new one, which an error of `work` rolls back. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
  /** Returns the current transaction as the library has it; undefined outside of one. */
  client?(): unknown;
}

/** Runs `work` in a new transaction of a library, and commits; rolls back if `work` throws. */
export type Begin<Client> = <Result>(work: (client: Client) => Promise<Result>) => Promise<Result>;

/**
 * Runs `work` in a new transaction of a library, with the context of its changes.
 * @throws the error of `work` or of the database; also if a statement has failed and `work` has caught its error
 */
export function runInTransaction<Client, Result>(
  begin: Begin<Client>,
  runnerOf: (client: Client) => QueryRunner,
  context: EventContext,
  work: (client: Client) => PromiseLike<Result>,
): Promise<Result> {
  return begin(async (client) => {
    const runner = runnerOf(client);
    if (context.principal ?? context.request) await setContext(runner, context);
    const result = await work(client);
    await assertCommittable(runner);
    return result;
  });
}

/** A value that everything knows that `work` awaits, until `work` has ended. */
export class Carried<Client extends object> {
  // Code that still runs after the end of a transaction must not use its client, which then belongs to another one.
  private readonly storage = new AsyncLocalStorage<{ readonly client: Client; ended: boolean }>();

  /** Returns the client of the innermost `carry` that has not ended. */
  client(): Client | undefined {
    const open = this.storage.getStore();
    return open?.ended === false ? open.client : undefined;
  }

  /** Runs `work` with the client. */
  async carry<Result>(client: Client, work: () => Promise<Result>): Promise<Result> {
    const open = { client, ended: false };
    try {
      return await this.storage.run(open, work);
    } finally {
      open.ended = true;
    }
  }
}

/** Transactions that everything knows that `work` awaits. */
export class CarriedTransactions<Client extends object> implements OutboxTransactions {
  private readonly carried = new Carried<Client>();

  constructor(
    private readonly begin: Begin<Client>,
    private readonly runnerOf: (client: Client) => QueryRunner,
  ) {}

  client(): Client | undefined {
    return this.carried.client();
  }

  current(): QueryRunner | undefined {
    const client = this.client();
    return client && this.runnerOf(client);
  }

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    return this.client() ? work() : this.begin((client) => this.carried.carry(client, work));
  }
}
