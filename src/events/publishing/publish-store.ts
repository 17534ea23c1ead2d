import type { Transaction } from '../../database/database.js';
import type { FanOutLimits } from '../../delivery/fan-out/insert-deliveries.js';
import {
  lockedValues,
  lockStatements,
  preparedWrites,
  publishFanOutLimits,
  writtenValues,
  type GroupKeys,
  type GroupWrite,
  type GroupWritten,
  type LockMode,
} from './publish-statements.js';

/** What is stored of a resource. */
export interface StoredResource {
  readonly version: number;
  readonly object: string | null;
}

/** An earlier event with an id of a publisher. */
export interface EarlierEvent {
  readonly id: string;
  readonly hash: Buffer;
}

/** What is stored of the types, resources and ids of a group. */
export interface LockedGroup {
  /** Revisions by type version; a deleted one is absent, and one that is being changed where that is skipped. */
  readonly revisions: ReadonlyMap<string, number>;
  readonly resources: ReadonlyMap<string, StoredResource>;
  /** Keys of resources that another transaction has locked, where those are skipped. */
  readonly busy: ReadonlySet<string>;
  readonly earlier: ReadonlyMap<string, EarlierEvent>;
  /** Whether a source of one of the event types has a filter or fields. */
  readonly isRuled: boolean;
}

/** Returns the key of a version of a type. */
export function versionKey(id: string, version: number | string): string {
  return `${id} ${version}`;
}

/** Returns the key of a resource: no id of a type has a space. */
export function resourceKey(typeId: string, resourceId: string): string {
  return `${typeId} ${resourceId}`;
}

/** The two statements of a group of requests. */
export class PublishStore {
  private readonly writes: ReturnType<typeof preparedWrites>;

  constructor(limits: FanOutLimits = publishFanOutLimits) {
    this.writes = preparedWrites(limits);
  }

  /** Locks the resources of a group until the transaction ends, and returns what is stored. */
  async lock(trx: Transaction, keys: GroupKeys, mode: LockMode): Promise<LockedGroup> {
    const revisions = new Map<string, number>();
    const resources = new Map<string, StoredResource>();
    const busy = new Set<string>();
    const earlier = new Map<string, EarlierEvent>();
    let isRuled = false;
    for (const { is, a, b, n, object, hash } of await lockStatements[mode].execute(trx, lockedValues(keys))) {
      if (is === 'type') revisions.set(versionKey(a, b), Number(n));
      else if (is === 'resource') resources.set(resourceKey(a, b), { version: Number(n), object });
      else if (is === 'busy') busy.add(resourceKey(a, b));
      else if (is === 'ruled') isRuled = true;
      else earlier.set(a, { id: b, hash: hash ?? Buffer.alloc(0) });
    }
    return { revisions, resources, busy, earlier, isRuled };
  }

  /** Writes a group whose resources are locked. */
  async write(trx: Transaction, group: GroupWrite): Promise<GroupWritten> {
    const statement = this.writes[group.isRuled ? 'ruled' : 'plain'];
    const [row] = await statement.execute(trx, writtenValues(group));
    if (!row) throw new Error('Writing a group of events returned no row.');
    return row;
  }
}
