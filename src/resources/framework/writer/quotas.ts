import { LRUCache } from 'lru-cache';
import type { Transaction } from '../../../database/database.js';
import { Problem } from '../../../problems/problem.js';
import type { ResourceDefinition } from '../definition/definition.js';
import { AllowanceStore, isWithoutAllowance, type Quota } from '../store/allowance-store.js';

/** Quota of a family that states no other. */
export const DEFAULT_QUOTA = 10_000;

/** With fewer resources to go, each create counts: most rows of allowances are empty then. */
const FEW_LEFT = 64;
/** How long a family of an account stays marked as nearly full, in milliseconds. */
const NEARLY_FULL_MS = 10_000;
/** Most families of accounts that are marked. */
const MOST_MARKED = 10_000;

/** The right to create one resource within a quota. */
export interface Allowance {
  /** The quota whose allowance is taken in the statement that writes the resource; null when `claim` has counted. */
  readonly quota: Quota | null;
  /**
   * Counts the resources, unless the statement takes an allowance. Call it right before the resource is written.
   * @throws Problem `quota_exceeded`
   */
  claim(trx: Transaction): Promise<void>;
}

/** Returns the quota of a family by the settings; 0: no limit. */
export function quotaOf(settings: Readonly<Record<string, number>>, family: ResourceDefinition): number {
  return settings[family.name] ?? family.quota ?? DEFAULT_QUOTA;
}

/**
 * Limits the resources that the clients of an account create, for each family. A create takes one of the allowances
 * that an earlier create has counted out (docs/decisions/limits.md).
 */
export class Quotas {
  private readonly nearlyFull = new LRUCache<string, true>({ max: MOST_MARKED, ttl: NEARLY_FULL_MS });

  /** @param settings the quotas that differ from the default, by family; 0: no limit */
  constructor(private readonly settings: Readonly<Record<string, number>>) {}

  /**
   * Runs a create. When it finds no allowance, runs it again with one that counts.
   * @param create must run in a transaction of its own, or as one statement
   * @throws Problem `quota_exceeded`, or as `create`
   */
  async within<T>(
    family: ResourceDefinition,
    accountId: string,
    create: (allowance: Allowance | null) => Promise<T>,
  ): Promise<T> {
    const most = quotaOf(this.settings, family);
    if (most === 0) return create(null);
    const quota = { accountId, kind: family.name, most, withParents: family.parent !== undefined };
    if (!this.nearlyFull.has(keyOf(quota))) {
      try {
        return await create({ quota, claim: () => Promise.resolve() });
      } catch (error) {
        if (!isWithoutAllowance(error)) throw error;
      }
    }
    return create({ quota: null, claim: (trx) => this.count(trx, quota, family) });
  }

  private async count(trx: Transaction, quota: Quota, { title }: ResourceDefinition): Promise<void> {
    const store = new AllowanceStore(trx, quota);
    await store.lock();
    const left = quota.most - (await store.count());
    if (left < FEW_LEFT) this.nearlyFull.set(keyOf(quota), true);
    if (left <= 0) {
      const detail = `The account has ${quota.most} ${title.many}, as many as its quota allows. Delete some, or ask the operator to raise QUOTAS.`;
      throw new Problem('quota_exceeded', detail);
    }
    await store.spread(left - 1);
  }
}

function keyOf({ accountId, kind }: Quota): string {
  return `${accountId} ${kind}`;
}
