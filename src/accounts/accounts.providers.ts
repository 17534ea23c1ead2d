import { DATABASE } from '../database/database.js';
import { provide } from '../lifecycle/provide.js';
import { AccountStore } from './account-store.js';
import { Authenticator } from './authenticator.js';
import { SessionCodeStore } from './session-code-store.js';
import { SessionStore } from './session-store.js';
import { TokenStore } from './token-store.js';

/** Authentication by API key, and the sessions and sign-in codes of API keys. */
export const accountProviders = [
  provide(TokenStore, [DATABASE]),
  provide(Authenticator, [TokenStore]),
  provide(AccountStore, [DATABASE]),
  provide(SessionStore, [DATABASE]),
  provide(SessionCodeStore, [DATABASE]),
];
