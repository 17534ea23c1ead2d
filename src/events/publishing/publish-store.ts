import type { Transaction } from '../../database/database.js';
import { executePrepared } from '../../database/prepared.js';
import type { FanOutLimits } from '../../delivery/fan-out/insert-deliveries.js';
import {
  batchFanOutLimits,
  lockStatement,
  writeStatement,
  type BatchKeys,
  type BatchWrite,
  type BatchWritten,
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

/** What is stored of the types, resources and ids of a batch. */
export interface LockedBatch {
  /** Revisions by type version; a deleted one is absent. */
  readonly revisions: ReadonlyMap<string, number>;
  readonly resources: ReadonlyMap<string, StoredResource>;
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

/** The two statements of a batch of published events. */
export class PublishStore {
  constructor(
    private readonly trx: Transaction,
    private readonly limits: FanOutLimits = batchFanOutLimits,
  ) {}

  /** Locks the resources of a batch, and returns what is stored. */
  async lock(keys: BatchKeys): Promise<LockedBatch> {
    const revisions = new Map<string, number>();
    const resources = new Map<string, StoredResource>();
    const earlier = new Map<string, EarlierEvent>();
    let isRuled = false;
    for (const { is, a, b, n, object, hash } of await executePrepared(this.trx, lockStatement(keys))) {
      if (is === 'type') revisions.set(versionKey(a, b), Number(n));
      else if (is === 'resource') resources.set(resourceKey(a, b), { version: Number(n), object });
      else if (is === 'ruled') isRuled = true;
      else earlier.set(a, { id: b, hash: hash ?? Buffer.alloc(0) });
    }
    return { revisions, resources, earlier, isRuled };
  }

  /** Writes a batch whose resources are locked. */
  async write(batch: BatchWrite): Promise<BatchWritten> {
    const [row] = await executePrepared(this.trx, writeStatement(batch, this.limits));
    if (!row) throw new Error('Writing a batch of events returned no row.');
    return row;
  }
}
