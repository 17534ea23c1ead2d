import type { AccountStore } from './account-store.js';
import type { Caller } from './authenticator.js';

/** What of a caller decides on the queues. */
interface QueueViewer extends Pick<Caller, 'accountId' | 'active'> {
  readonly principal: Pick<Caller['principal'], 'admin'>;
  readonly credential: Pick<Caller['credential'], 'role'>;
}

/** Why a caller may not view the queues, which hold jobs of every account. */
export type QueueRefusal = 'role' | 'no_admin' | 'other_account';

/**
 * Returns why a caller may not view the queues; null when it may. They are for active admins of the first account, with
 * keys of the role `admin`.
 */
export async function queueRefusal(
  { principal, credential, active, accountId }: QueueViewer,
  accounts: Pick<AccountStore, 'isFirst'>,
): Promise<QueueRefusal | null> {
  if (credential.role !== 'admin') return 'role';
  if (!principal.admin || !active) return 'no_admin';
  return (await accounts.isFirst(accountId)) ? null : 'other_account';
}
