import { Module, type DynamicModule, type FactoryProvider, type ModuleMetadata } from '@nestjs/common';
import type { Pool } from 'pg';
import type { EventContext } from '../context.js';
import { OutboxRecorder } from './outbox-recorder.js';
import type { OutboxTransactions } from './outbox-transactions.js';
import { PoolTransactions } from './pool-transactions.js';

/** Where the transactions come from, and who makes the changes. */
export type WaybillOutboxOptions = (
  | {
      /** A pool of node-postgres: the recorder opens the transactions. */
      readonly pool: Pool;
    }
  | {
      /** The transactions of the application. */
      readonly transactions: OutboxTransactions;
    }
) & {
  /** Returns who makes the changes of the current request, for example from an AsyncLocalStorage. */
  readonly context?: () => EventContext;
};

/** As `useFactory` of Nest's providers. */
export interface WaybillOutboxAsyncOptions extends Pick<ModuleMetadata, 'imports'> {
  readonly inject?: FactoryProvider['inject'];
  readonly useFactory: FactoryProvider<WaybillOutboxOptions>['useFactory'];
}

/** Provides the OutboxRecorder in the whole application. */
@Module({})
export class WaybillOutboxModule {
  /** Returns the module for options that are known at once. */
  static forRoot(options: WaybillOutboxOptions): DynamicModule {
    return WaybillOutboxModule.forRootAsync({ useFactory: () => options });
  }

  /** Returns the module for options that need other providers, such as the pool. */
  static forRootAsync({ imports = [], inject = [], useFactory }: WaybillOutboxAsyncOptions): DynamicModule {
    const provider: FactoryProvider<OutboxRecorder> = {
      provide: OutboxRecorder,
      inject,
      useFactory: async (...given: unknown[]) => recorder(await useFactory(...given)),
    };
    return { module: WaybillOutboxModule, global: true, imports, providers: [provider], exports: [OutboxRecorder] };
  }
}

function recorder(options: WaybillOutboxOptions): OutboxRecorder {
  const { context } = options;
  const transactions = 'pool' in options ? new PoolTransactions(options.pool, context) : options.transactions;
  return new OutboxRecorder(transactions, context);
}
