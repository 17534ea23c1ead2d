import { Module } from '@nestjs/common';
import { DATABASE, type Database } from '../database/database.js';
import { Authenticator } from './authenticator.js';
import { TokenStore } from './token-store.js';

/** Authentication by API key. */
@Module({
  providers: [
    {
      provide: Authenticator,
      inject: [DATABASE],
      useFactory: (db: Database) => new Authenticator(new TokenStore(db)),
    },
  ],
  exports: [Authenticator],
})
export class AccountsModule {}
