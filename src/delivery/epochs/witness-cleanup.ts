import type { Database } from '../../database/database.js';
import type { Logger } from '../../logging/logger.js';
import type { MaintenanceTask } from '../../maintenance/maintenance.js';
import { EpochStore } from './epoch-store.js';
import type { Witness } from './witness.js';

/** Removes the marks of deleted lanes from the witness, which would keep them forever. */
export class WitnessCleanup implements MaintenanceTask {
  readonly name = 'witness_cleanup';
  readonly intervalMs = 3_600_000;
  private readonly store: EpochStore;

  constructor(
    db: Database,
    private readonly witness: Witness | null,
    private readonly logger: Logger,
  ) {
    this.store = new EpochStore(db);
  }

  /**
   * Removes the marks of lanes that do not exist, unless claims are fenced. The database counts the removal first, and
   * the witness notes that count before it forgets: a database from before the removal has a lower count, so the next
   * check notices it although the marks are gone. Without a witness, does nothing.
   * @returns how many marks it removed
   */
  async run(): Promise<number> {
    const { witness } = this;
    if (!witness) return 0;
    // Before the lanes: a lane exists before it has a number.
    const { lanes, cleanups: known } = await witness.read();
    const found = await this.store.locked(async (change, record) => {
      if (!record.admitted) return null;
      const gone = await change.withoutLane([...lanes.keys()]);
      if (gone.length === 0) return null;
      return { gone, epoch: record.epoch, cleanups: await change.countCleanup(known) };
    });
    if (found === null) return 0;
    const { gone, epoch, cleanups } = found;
    await witness.add({ epoch, cleanups, lanes: new Map() });
    await witness.forget(gone);
    this.logger.info({ lanes: gone.length }, 'removed the numbers of deleted destinations from the witness');
    return gone.length;
  }
}
