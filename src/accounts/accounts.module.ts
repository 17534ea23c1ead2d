import { Module } from '@nestjs/common';
import { DATABASE, type Database } from '../database/database.js';
import { AccountStore } from './account-store.js';
import { Authenticator } from './authenticator.js';
import { SessionCodeStore } from './session-code-store.js';
import { SessionStore } from './session-store.js';
import { TokenStore } from './token-store.js';

/** Authentication by API key, and the sessions and sign-in codes of API keys. */
@Module({
  providers: [
    {
      provide: Authenticator,
      inject: [DATABASE],
      useFactory: (db: Database) => new Authenticator(new TokenStore(db)),
    },
    { provide: AccountStore, inject: [DATABASE], useFactory: (db: Database) => new AccountStore(db) },
    { provide: SessionStore, inject: [DATABASE], useFactory: (db: Database) => new SessionStore(db) },
    { provide: SessionCodeStore, inject: [DATABASE], useFactory: (db: Database) => new SessionCodeStore(db) },
  ],
  exports: [Authenticator, AccountStore, SessionStore, SessionCodeStore],
})
export class AccountsModule {}
