import type { Database } from '../database/database.js';
import { EventSnapshotStore } from '../events/fan-out/event-snapshot-store.js';
import type { MaintenanceTask } from '../maintenance/maintenance.js';
import { BackfillStore } from './backfills/backfill-store.js';
import { RecoveryStore } from './recoveries/recovery-store.js';

/** Removes backfills, recoveries and snapshots that ended long ago, and the marks of ended snapshots. */
export class EndedWorkPruning implements MaintenanceTask {
  readonly name = 'prune_ended_work';
  readonly intervalMs = 3_600_000;

  /** @param keptMs how long they are kept after their end, in milliseconds */
  constructor(
    private readonly db: Database,
    private readonly keptMs: number,
  ) {}

  /** Runs one turn. */
  async run(): Promise<void> {
    const stores = [new BackfillStore(this.db), new RecoveryStore(this.db), new EventSnapshotStore(this.db)];
    const results = await Promise.allSettled(stores.map((store) => store.prune(this.keptMs)));
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }
}
