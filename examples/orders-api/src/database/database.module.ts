import { Module, type DynamicModule } from '@nestjs/common';
import { Database } from './database.js';

/** Provides the database in the whole API, and closes it at the shutdown. */
@Module({})
export class DatabaseModule {
  static with(url: string): DynamicModule {
    return {
      module: DatabaseModule,
      global: true,
      providers: [{ provide: Database, useFactory: () => new Database(url) }],
      exports: [Database],
    };
  }
}
