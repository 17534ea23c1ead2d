import type { Database } from '../../database/database.js';
import type { SecretStore } from '../../secrets/secret-store.js';
import { targetKinds, type TargetKind } from '../../targets/target.js';

/** The target of a destination, with its secrets decrypted. Never logged. */
export interface DestinationTarget {
  readonly kind: TargetKind;
  /** The destination's member of that kind, with its secrets: input for `Target.config`. */
  readonly member: Readonly<Record<string, unknown>>;
  /** Null where the target needs none; empty where it is missing, and then the target must not be used. */
  readonly externalId: string | null;
}

type Member = Record<string, unknown>;

/** Reads the stored targets of destinations. */
export class DestinationStore {
  constructor(
    private readonly db: Database,
    private readonly secrets: SecretStore,
  ) {}

  /** Returns the kinds of target that have destinations. */
  async kindsInUse(): Promise<readonly TargetKind[]> {
    const rows = await this.db.selectFrom('delivery_lanes').select('target_kind').distinct().execute();
    return targetKinds.filter((kind) => rows.some((row) => row.target_kind === kind));
  }

  /**
   * Returns the target of one destination; undefined when it does not exist.
   * @throws KeyRingError when a secret cannot be decrypted
   */
  async load(accountId: string, destinationId: string): Promise<DestinationTarget | undefined> {
    const row = await this.db
      .selectFrom('resources')
      .select('attributes')
      .where('id', '=', destinationId)
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    if (!row) return undefined;
    const target = membersOf(row.attributes['target']);
    const kind = targetKinds.find((candidate) => (target[candidate] ?? null) !== null);
    if (!kind) throw new Error(`destination ${destinationId} has no target`);
    const secrets = await this.secrets.load(this.db, accountId, destinationId);
    const member = structuredClone(membersOf(target[kind]));
    const prefix = `target.${kind}.`;
    for (const [field, plaintext] of secrets) {
      if (field.startsWith(prefix)) fill(member, field.slice(prefix.length).split('.'), plaintext);
    }
    return { kind, member, externalId: externalIdOf(member) };
  }
}

function membersOf(value: unknown): Member {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

/** Sets the value at a path, if its parents exist: the secret of a part that was removed is ignored. */
function fill(member: Member, [name, ...rest]: readonly string[], value: string): void {
  if (name === undefined) return;
  if (rest.length === 0) {
    member[name] = value;
    return;
  }
  const inner = member[name];
  if (typeof inner !== 'object' || inner === null) return;
  const copy = { ...inner };
  member[name] = copy;
  fill(copy, rest, value);
}

function externalIdOf(member: Member): string | null {
  const role = membersOf(member['auth'])['role'] ?? null;
  if (role === null) return null;
  const { external_id: externalId } = membersOf(role);
  return typeof externalId === 'string' ? externalId : '';
}
