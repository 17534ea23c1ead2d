import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { boundTo } from '../bound-to.js';
import type { EventContext } from '../context.js';
import { Carried, runInTransaction, type OutboxTransactions } from '../transactions.js';

export const { record, recordChange, setContext } = boundTo((manager: EntityManager) => manager);

/**
 * Runs `work` in a transaction, and commits. Rolls back if `work` throws.
 * @param context who makes the changes, for triggers and for events without `principal` or `request`
 * @throws the error of `work` or of the database; also if a statement has failed and `work` has caught its error
 */
export function transaction<Result>(
  dataSource: DataSource,
  context: EventContext,
  work: (manager: EntityManager) => PromiseLike<Result>,
): Promise<Result> {
  return runInTransaction(
    (begun) => dataSource.transaction(begun),
    (manager) => manager,
    context,
    work,
  );
}

const known = new WeakMap<DataSource, OutboxTransactions>();

/**
 * Returns the transactions of a DataSource, for the module of `@waybill/outbox/nestjs`. Inside of the recorder's
 * transactions, everything of the DataSource joins them: injected repositories, query builders, and transactions, which
 * become savepoints. The recorder joins a transaction of `dataSource.transaction()`, or of typeorm-transactional.
 */
export function transactions(dataSource: DataSource): OutboxTransactions {
  const existing = known.get(dataSource);
  if (existing) return existing;
  const created = new TypeormTransactions(dataSource);
  known.set(dataSource, created);
  return created;
}

class TypeormTransactions implements OutboxTransactions {
  /** Transactions that `dataSource.transaction()` began. */
  private readonly begun = new Carried<EntityManager>();
  /** Transactions that everything of the DataSource joins. */
  private readonly joined = new Carried<EntityManager>();

  constructor(private readonly dataSource: DataSource) {
    const createQueryRunner = dataSource.createQueryRunner.bind(dataSource);
    dataSource.createQueryRunner = (mode) => {
      const runner = this.joined.client()?.queryRunner;
      return runner ? withoutRelease(runner) : createQueryRunner(mode);
    };
    // `dataSource.transaction()` calls it, with or without an isolation level.
    const { manager } = dataSource;
    const begin = manager.transaction.bind(manager);
    const begun = (...given: unknown[]): unknown =>
      Reflect.apply(
        begin,
        manager,
        given.map((part) =>
          isWork(part) ? (opened: EntityManager) => this.begun.carry(opened, () => part(opened)) : part,
        ),
      );
    Object.assign(manager, { transaction: begun });
  }

  client(): EntityManager | undefined {
    return this.joined.client() ?? this.begun.client() ?? this.transactional();
  }

  current(): EntityManager | undefined {
    return this.client();
  }

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.joined.client()) return work();
    const open = this.client();
    return open
      ? this.joined.carry(open, work)
      : transaction(this.dataSource, {}, (manager) => this.joined.carry(manager, work));
  }

  /** Returns the manager that typeorm-transactional puts in the place of that of the DataSource. */
  private transactional(): EntityManager | undefined {
    const { manager } = this.dataSource;
    return manager.queryRunner?.isTransactionActive ? manager : undefined;
  }
}

function isWork(part: unknown): part is (manager: EntityManager) => Promise<unknown> {
  return typeof part === 'function';
}

/** Who asks for a query runner may end its transaction and release it. That of the recorder stays, and stays open. */
function withoutRelease(runner: QueryRunner): QueryRunner {
  const depth = depthOf(runner);
  // As TypeORM does it, which commits what is open; here only the savepoints that were begun since.
  const dispose = async (): Promise<void> => {
    while (depthOf(runner) > depth) await runner.commitTransaction();
  };
  return new Proxy(runner, {
    get(target, name): unknown {
      if (name === 'release') return async () => {};
      if (name === Symbol.asyncDispose) return dispose;
      if (name === 'commitTransaction' || name === 'rollbackTransaction')
        return async () => {
          if (depthOf(target) <= 1) throw new Error(`${name}() would end the transaction of the outbox recorder.`);
          await target[name]();
        };
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? member.bind(target) : member;
    },
  });
}

/** Returns the number of the transaction and its savepoints that are open. */
function depthOf(runner: QueryRunner): number {
  return Number(Reflect.get(runner, 'transactionDepth'));
}
