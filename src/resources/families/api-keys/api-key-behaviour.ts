import { AccountStore } from '../../../accounts/account-store.js';
import { DEFAULT_ROLE, mayGrant, toKeyRole, type KeyRole } from '../../../accounts/key-role.js';
import { TokenStore } from '../../../accounts/token-store.js';
import { hashKeyToken, mintToken } from '../../../accounts/token.js';
import type { RequestContext } from '../../../http/request/request-context.js';
import { Problem } from '../../../problems/problem.js';
import type {
  PendingChange,
  PendingRemoval,
  ResourceBehaviour,
  WrittenChange,
} from '../../framework/definition/behaviour.js';
import type { Attributes } from '../../framework/definition/definition.js';
import { ResourceStore } from '../../framework/store/resource-store.js';
import { ApiKeyStore } from './api-key-store.js';

/**
 * Sets the owner and the maker of an API key, and mints the token, which only the create response contains. Limits the
 * keys that a principal makes for itself; admins are not limited. Keeps the last key of the account's admins.
 */
export class ApiKeyBehaviour implements ResourceBehaviour {
  /** @param mostKeys most keys that a principal makes for itself; 0: no limit */
  constructor(private readonly mostKeys: number) {}

  visibleTo({ principal }: RequestContext): Attributes | null {
    return principal.admin ? null : { owner_id: principal.id };
  }

  async prepare({ trx, context, before, attributes }: PendingChange): Promise<Attributes> {
    if (before !== null) return attributes;
    const { accountId, principal, credential } = context;
    const ownerId = attributes.owner_id ?? principal.id;
    if (ownerId !== principal.id && !principal.admin) {
      throw new Problem('forbidden', 'Only an admin may create an API key for another owner.');
    }
    assertMayGrant(credential?.role ?? DEFAULT_ROLE, roleOf(attributes));
    if (credential !== null) await lockMaker(trx, accountId, credential.id);
    if (!principal.admin && this.mostKeys > 0) await this.assertRoom(trx, principal.id);
    return { ...attributes, owner_id: ownerId, created_by_key_id: credential?.id ?? null };
  }

  async afterWrite({ trx, row, before }: WrittenChange): Promise<Attributes | void> {
    if (before !== null) return;
    const token = mintToken(row.id);
    const role = roleOf(row.attributes);
    await new TokenStore(trx).insert({
      keyId: row.id,
      accountId: row.account_id,
      ownerId: String(row.attributes.owner_id),
      tokenHash: hashKeyToken(token, role),
      role,
    });
    return { token };
  }

  async beforeDelete({ trx, row }: PendingRemoval): Promise<void> {
    const keys = new ApiKeyStore(trx);
    if (roleOf(row.attributes) !== 'admin' || !(await keys.isAdmin(String(row.attributes.owner_id)))) return;
    // Admin keys of an account are deleted one after the other.
    await new AccountStore(trx).lock(row.account_id);
    if (await keys.hasOtherAdminKey(row.account_id, row.id)) return;
    throw new Problem(
      'last_admin_key',
      `${row.id} is the last API key of an admin of the account. Create another one first.`,
    );
  }

  /** The keys that this key made, directly or through keys that it made. */
  async dependents({ trx, context, row }: PendingRemoval): Promise<readonly string[]> {
    const keys = new ApiKeyStore(trx);
    const found: string[] = [];
    let makers: readonly string[] = [row.id];
    // A key makes no more keys once it is locked, so no key escapes.
    while (makers.length > 0) {
      makers = await keys.lockMadeBy(row.account_id, makers, this.visibleTo(context));
      found.push(...makers);
    }
    return found;
  }

  /**
   * Checks that an owner may have one more key. Holds back other keys of the owner until the transaction ends, so that
   * creates at the same time do not pass the limit.
   * @throws Problem `principal_keys_exceeded`
   */
  private async assertRoom(trx: PendingChange['trx'], ownerId: string): Promise<void> {
    const keys = new ApiKeyStore(trx);
    await keys.lockOwner(ownerId);
    if ((await keys.countOf(ownerId, this.mostKeys)) < this.mostKeys) return;
    const detail = `${ownerId} has ${this.mostKeys} API keys, as many as a principal may create for itself. Delete some, or ask an admin for a key.`;
    throw new Problem('principal_keys_exceeded', detail);
  }
}

/** Returns the role of a key from its attributes. Keys of the operator have none stored. */
function roleOf({ role = DEFAULT_ROLE }: Attributes): KeyRole {
  const known = toKeyRole(role);
  if (known === null) throw new Error(`An API key has the unknown role ${JSON.stringify(role)}.`);
  return known;
}

/** @throws Problem `forbidden` */
function assertMayGrant(maker: KeyRole, role: KeyRole): void {
  if (mayGrant(maker, role)) return;
  const detail = `An API key with the role ${maker} cannot create one with the role ${role}.`;
  throw new Problem('forbidden', detail);
}

/**
 * Locks the key of the request against deletion, so that it makes no key while it is deleted.
 * @throws Problem `credentials_invalid` when the key was deleted after the request was authenticated
 */
async function lockMaker(trx: PendingChange['trx'], accountId: string, keyId: string): Promise<void> {
  const kinds = await new ResourceStore(trx).kindsOf(accountId, [keyId]);
  if (kinds.has(keyId)) return;
  throw new Problem('credentials_invalid', 'The API key of this request was deleted.');
}
