import {
  believed,
  countBeyond,
  epochOf,
  erasuresIn,
  Findings,
  MOST_KEPT,
  openCheckpoint,
  parseVkey,
  tilePath,
  Verification,
  verdicts,
  vkeyOf,
  type Checkpoint,
  type Evidence,
  type Finding,
  type NoteKey,
  type Place,
} from '@waybill/verify/check';
import type { ExportedEvent } from '@waybill/verify/readers';
import type { AlteredEvent } from './content-result.js';
import type { DestinationLogs } from './destination-logs.js';
import type { EpochStart } from './destination-records.js';
import { erasuresOf, withErased } from './erasures.js';
import { epochAt, type Reconciliation } from './reconcile.js';

/** Verifies the events of the tested files with the signed logs of their destination, and keys that were pinned. */
export class LogProof {
  /** Epochs of the events in the files. */
  private readonly held = new Set<number>();

  private constructor(
    private readonly keys: readonly NoteKey[],
    private readonly readAt: string,
    private readonly epochs: readonly EpochStart[],
    /** Those without a checkpoint. */
    private readonly unsealed: readonly number[],
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
    const unsealed: number[] = [];
    const heads: Checkpoint[] = [];
    for (const { epoch } of epochs) {
      const note = await logs.notes(epoch, 'checkpoint');
      if (note === null) {
        unsealed.push(epoch);
        continue;
      }
      const open = () => openCheckpoint(note, known);
      const head = believed(open, 'forged_checkpoint', `checkpoint of epoch ${epoch}`, findings);
      if (head !== null) heads.push(head);
    }
    const verification = new Verification(heads, known, findings);
    return new LogProof(known, new Date().toISOString(), epochs, unsealed, heads, logs, verification);
  }

  /** Adds an event of the files. */
  add(event: ExportedEvent, place: Place): void {
    this.held.add(event.number.epoch);
    // Without a checkpoint each event would be foreign.
    if (this.heads.length > 0) this.verification.add(event, place);
  }

  /**
   * Compares the events with the logs.
   * @param readEvents reads the events of the files again
   * @returns the comparison with `proof`, for altered events what the log has, and the events that are erased
   */
  async finish(found: Reconciliation, readEvents: Evidence['readEvents']): Promise<Reconciliation> {
    const { findings } = this.verification;
    const signed = (await erasuresOf(found, this.logs, this.epochs)).flatMap((one) =>
      erasuresIn(one.note, `erasure record ${one.erasureId}`, this.keys, findings).map((given) => ({ ...one, given })),
    );
    // The comparison has these numbers itself. One that the files hold must be in the log as well.
    const missing = new Set(found.missing.map(({ sequence }) => sequence));
    const isAccountedFor: Evidence['isAccountedFor'] = ({ epoch, sequence }) =>
      epochAt(this.epochs, sequence) === epoch && (sequence < found.from || missing.has(sequence));
    // The files may be older than a record of events that they hold: these are verified as all others.
    const ofMissing = signed.filter(({ sequences }) => sequences.some((sequence) => missing.has(sequence)));
    const logs = await this.verification.finish(
      (log) => ({
        tiles: (tile) => this.logs.tile(epochOf(log), tilePath(tile)),
        readEvents,
        isAccountedFor,
        firstSequence: this.firstOf(epochOf(log)),
      }),
      ofMissing.map(({ given }) => given),
    );
    const counting = signed.filter((one) => {
      const { origin } = one.given.record;
      const isOfLog = epochOf(origin) === one.epoch && this.heads.some((head) => head.origin === origin);
      return isOfLog && (!ofMissing.includes(one) || this.verification.announces(one.given));
    });
    const { list, counts } = findings;
    const isAllKept = Object.values(counts).every((count) => count <= MOST_KEPT);
    const inLog = (epoch: number, sequence: number): boolean | null => {
      if (list.some((one) => isAbout(one, sequence))) return false;
      const log = logs.find((one) => epochOf(one.log) === epoch);
      const isSealed = log?.is_compared === true && sequence - this.firstOf(epoch) < log.size;
      return isSealed && isAllKept ? true : null;
    };
    // The log has one event of a number: not both of an intact and an altered line.
    const inLogOf = (one: AlteredEvent) => (one.has_intact_line ? false : inLog(one.epoch, one.sequence));
    const altered = found.altered.map((one) => ({ ...one, in_log: inLogOf(one) }));
    // What the comparison has as altered itself is not repeated.
    const numbers = new Set<number | undefined>(altered.map(({ sequence }) => sequence));
    const isRepeated = ({ sequence, last_sequence: last = sequence }: Finding) =>
      sequence !== undefined && last === sequence && numbers.has(sequence);
    const repeated = list.filter(isRepeated);
    const left = verdicts.map(([verdict]) => {
      const count = counts[verdict] ?? 0;
      // Of more findings than are kept, the comparison may have those that are not in the list, too.
      const isCut = count > MOST_KEPT && repeated.some((one) => one.verdict === verdict);
      const rest = isCut ? Math.max(0, count - numbers.size) : countBeyond(counts, verdict, repeated);
      return [verdict, rest] as const;
    });
    const verified = logs.length > 0 && list.length === 0 && logs.every((log) => log.is_compared);
    const proof = {
      keys: this.keys.map(vkeyOf),
      read_at: this.readAt,
      logs,
      unsealed_epochs: this.unsealed.filter((epoch) => this.held.has(epoch)),
      findings: list.filter((one) => !isRepeated(one)),
      counts: Object.fromEntries(left.filter(([, count]) => count > 0)),
      verified,
    };
    return { ...withErased(found, counting), altered, proof };
  }

  private firstOf(epoch: number): number {
    return this.epochs.find((one) => one.epoch === epoch)?.first_sequence ?? 1;
  }
}

/** Returns whether a finding names a number. */
function isAbout({ sequence = Infinity, last_sequence: last = sequence }: Finding, number: number): boolean {
  return sequence <= number && number <= last;
}
