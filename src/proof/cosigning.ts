import { consistencyRanges, formatNote, parseNote } from '@waybill/verify';
import type { CosignerAddress } from '../config/value-kinds.js';
import type { Database } from '../database/database.js';
import type { Logger } from '../logging/logger.js';
import { ThrottledLog } from '../logging/throttled-log.js';
import type { MaintenanceTask, TurnControl } from '../maintenance/maintenance.js';
import { Cosigner, RefusedError, type Cosignable } from './cosigner.js';
import { CosigningStore, type UncosignedLog } from './cosigning-store.js';
import { LogStore } from './log-store.js';

/** Most logs whose checkpoints are sent at once. */
const MOST_AT_ONCE = 16;

/** What the task works with. */
export interface CosigningParts {
  readonly db: Database;
  readonly logger: Logger;
  readonly cosigners: readonly CosignerAddress[];
  readonly intervalMs: number;
}

/** Sends new checkpoints to the cosigners, and keeps their cosignatures (docs/decisions/proof.md). */
export class Cosigning implements MaintenanceTask {
  readonly name = 'cosignatures';
  readonly intervalMs: number;
  private readonly store: CosigningStore;
  private readonly logs: LogStore;
  private readonly cosigners: readonly Cosigner[];
  private readonly warnings: ThrottledLog;

  constructor({ db, logger, cosigners, intervalMs }: CosigningParts) {
    this.intervalMs = intervalMs;
    this.store = new CosigningStore(db);
    this.logs = new LogStore(db);
    this.cosigners = cosigners.map((one) => new Cosigner(one));
    this.warnings = new ThrottledLog(logger);
  }

  /** Sends checkpoints until none is due. Ends early, without an error, when `stopped` aborts. */
  async run({ stopped, progressed }: TurnControl): Promise<void> {
    for (let due = this.cosigners.length; due > 0 && !stopped.aborted; progressed()) {
      const logs = await this.store.take(MOST_AT_ONCE);
      due = logs.length;
      await Promise.all(logs.map((log) => this.round(log)));
    }
  }

  /** Asks all cosigners that have not signed the newest checkpoint of a log. A slow one delays this log only. */
  private async round(log: UncosignedLog): Promise<void> {
    const { note, size, cosignedNote, cosignedSize } = log;
    const known = cosignedNote !== null && cosignedSize === size ? cosignedNote : note;
    const { text, signatures } = parseNote(known);
    const left = this.cosigners.filter((one) => !one.hasSigned(known));
    const asked = left.filter((one) => !one.isResting).map((one) => this.ask(one, log));
    const added = (await Promise.all(asked)).filter((one) => one !== null);
    const cosigned = added.length === 0 ? null : formatNote(text, [...signatures, ...added]);
    await this.store.put(log, cosigned, added.length === left.length);
  }

  private async ask(cosigner: Cosigner, log: UncosignedLog) {
    const proofFrom: Cosignable['proofFrom'] = (smaller) =>
      this.logs.subtrees(log.id, consistencyRanges(smaller, log.size), log.size);
    try {
      return await cosigner.cosign({ ...log, proofFrom });
    } catch (error) {
      const message =
        error instanceof RefusedError
          ? 'a cosigner refuses the checkpoint of a log: it does not know the log, or has cosigned another history'
          : 'a cosigner did not respond; it will be asked again';
      this.warnings.warn(error, message, { cosigner: cosigner.name, destination: log.destinationId });
      return null;
    }
  }
}
