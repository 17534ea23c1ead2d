import {
  CheckpointError,
  epochOf,
  Findings,
  openCheckpoint,
  parseVkey,
  tilePath,
  Verification,
  vkeyOf,
  type Checkpoint,
  type Evidence,
  type Finding,
} from '@waybill/verify/check';
import type { ExportedEvent } from '@waybill/verify/readers';
import type { DestinationLogs } from './destination-logs.js';
import type { EpochStart } from './destination-records.js';
import type { Place } from './held-event.js';
import { epochAt, type Reconciliation } from './reconcile.js';

/** Verifies the events of the tested files with the signed logs of their destination, and keys that were pinned. */
export class LogProof {
  private constructor(
    private readonly keys: readonly string[],
    private readonly readAt: string,
    private readonly epochs: readonly EpochStart[],
    private readonly heads: readonly Checkpoint[],
    private readonly logs: DestinationLogs,
    private readonly verification: Verification,
  ) {}

  /**
   * Reads the newest checkpoint of each epoch.
   * @param keys verifier keys
   * @throws Error for what is no verifier key, and what `logs` throws
   */
  static async of(logs: DestinationLogs, epochs: readonly EpochStart[], keys: readonly string[]): Promise<LogProof> {
    const known = keys.map(parseVkey);
    const findings = new Findings();
    const heads: Checkpoint[] = [];
    for (const { epoch } of epochs) {
      const note = await logs.checkpoint(epoch);
      try {
        if (note !== null) heads.push(openCheckpoint(note, known));
      } catch (error) {
        if (!(error instanceof CheckpointError)) throw error;
        const verdict = error.fault === 'unknown_key' ? 'unknown_key' : 'forged_checkpoint';
        findings.add({ verdict, file: `checkpoint of epoch ${epoch}`, reason: error.message });
      }
    }
    const verification = new Verification(heads, findings);
    return new LogProof(known.map(vkeyOf), new Date().toISOString(), epochs, heads, logs, verification);
  }

  /** Adds an event of the files. */
  add(event: ExportedEvent, place: Place): void {
    // Without a checkpoint each event would be foreign.
    if (this.heads.length > 0) this.verification.add(event, place);
  }

  /**
   * Compares the events with the logs.
   * @param readEvents reads the events of the files again
   * @returns the comparison with `proof`, and for altered events what the log has
   */
  async finish(found: Reconciliation, readEvents: Evidence['readEvents']): Promise<Reconciliation> {
    // The comparison has found a reason for each number that the files lack, or has it as missing.
    const isAccountedFor: Evidence['isAccountedFor'] = ({ epoch, sequence }) =>
      sequence <= found.last_sequence && epochAt(this.epochs, sequence) === epoch;
    const logs = await this.verification.finish((log) => ({
      tiles: (tile) => this.logs.tile(epochOf(log), tilePath(tile)),
      readEvents,
      isAccountedFor,
      firstSequence: this.firstOf(epochOf(log)),
    }));
    const { list, counts } = this.verification.findings;
    const differing = list.filter(({ verdict }) => verdict === 'altered' || verdict === 'altered_repeat');
    const inLog = (epoch: number, sequence: number): boolean | null => {
      const log = logs.find((one) => epochOf(one.log) === epoch);
      if (log === undefined || !log.is_compared || sequence - this.firstOf(epoch) >= log.size) return null;
      return !differing.some((one) => one.sequence === sequence);
    };
    const altered = found.altered.map((one) => ({ ...one, in_log: inLog(one.epoch, one.sequence) }));
    const numbers = new Set(altered.map(({ sequence }) => sequence));
    const isNew = (one: Finding): boolean => !differing.includes(one) || !numbers.has(one.sequence ?? 0);
    const verified = logs.length > 0 && Object.keys(counts).length === 0 && logs.every((log) => log.is_compared);
    const { keys, readAt: read_at } = this;
    return { ...found, altered, proof: { keys, read_at, logs, findings: list.filter(isNew), verified } };
  }

  private firstOf(epoch: number): number {
    return this.epochs.find((one) => one.epoch === epoch)?.first_sequence ?? 1;
  }
}
