import type { Database } from '../database/database.js';
import { EventSnapshotStore } from '../events/fan-out/event-snapshot-store.js';
import type { MaintenanceTask } from '../maintenance/maintenance.js';
import { BackfillStore } from './backfills/backfill-store.js';
import { RecoveryStore } from './recoveries/recovery-store.js';

/** Removes backfills, recoveries and snapshots that ended long ago. */
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
    for (const store of [new BackfillStore(this.db), new RecoveryStore(this.db), new EventSnapshotStore(this.db)])
      await store.prune(this.keptMs);
  }
}
