import {
  Module,
  type DynamicModule,
  type ExecutionContext,
  type FactoryProvider,
  type ModuleMetadata,
} from '@nestjs/common';
import { APP_INTERCEPTOR } from '@nestjs/core';
import type { Pool, PoolClient } from 'pg';
import type { EventContext } from '../context.js';
import { transaction } from '../transaction.js';
import { CarriedTransactions, type OutboxTransactions } from '../transactions.js';
import { CurrentExecution } from './current-execution.js';
import { OutboxRecorder } from './outbox-recorder.js';

/** Where the transactions come from, and who makes the changes. */
export type WaybillOutboxOptions = (
  | {
      /** A pool of node-postgres: the recorder opens the transactions. */
      readonly pool: Pool;
    }
  | {
      /** The transactions of a library: `transactions()` of `@waybill/outbox/typeorm` and the like, or your own. */
      readonly transactions: OutboxTransactions;
    }
) & {
  /**
   * Returns who makes the changes.
   * @param execution the request of a controller, after its guards; undefined elsewhere, such as in a job
   */
  readonly context?: (execution: ExecutionContext | undefined) => EventContext | undefined;
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
    const execution = new CurrentExecution();
    const provider: FactoryProvider<OutboxRecorder> = {
      provide: OutboxRecorder,
      inject,
      useFactory: async (...given: unknown[]) => recorder(await useFactory(...given), execution),
    };
    return {
      module: WaybillOutboxModule,
      global: true,
      imports,
      providers: [provider, { provide: APP_INTERCEPTOR, useValue: execution }],
      exports: [OutboxRecorder],
    };
  }
}

function recorder(options: WaybillOutboxOptions, execution: CurrentExecution): OutboxRecorder {
  const { context } = options;
  return new OutboxRecorder(
    'pool' in options ? poolTransactions(options.pool) : options.transactions,
    () => context?.(execution.get()) ?? {},
  );
}

function poolTransactions(pool: Pool): OutboxTransactions {
  return new CarriedTransactions<PoolClient>(
    (work) => transaction(pool, {}, work),
    (client) => client,
  );
}
