import { Module, type DynamicModule } from '@nestjs/common';
import { Database } from './database.js';

/** Opens the database, and closes it at the shutdown. */
@Module({})
export class DatabaseModule {
  static with(url: string): DynamicModule {
    return {
      module: DatabaseModule,
      providers: [{ provide: Database, useFactory: () => new Database(url) }],
      exports: [Database],
    };
  }
}
