import type { AccountStore } from './account-store.js';
import type { Caller } from './authenticator.js';

/** What of a caller decides on the queues. */
interface QueueViewer extends Pick<Caller, 'accountId' | 'active'> {
  readonly principal: Pick<Caller['principal'], 'admin'>;
  readonly credential: Pick<Caller['credential'], 'role'>;
}

/**
 * Whether a caller may view the queues, which hold jobs of every account. They are for active admins of the first
 * account, with keys of the role `admin`.
 */
export async function mayViewQueues(
  { principal, credential, active, accountId }: QueueViewer,
  accounts: Pick<AccountStore, 'isFirst'>,
): Promise<boolean> {
  return credential.role === 'admin' && principal.admin && active && accounts.isFirst(accountId);
}
