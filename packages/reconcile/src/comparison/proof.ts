import type { Counts, Finding, LogResult } from '@waybill/verify/check';

/** What the signed logs say of the tested files. */
export interface Proof {
  /** Verifier keys that were given. */
  readonly keys: readonly string[];
  /** When the checkpoints were read, RFC 3339. */
  readonly read_at: string;
  readonly logs: readonly LogResult[];
  /** Epochs of events in the files that have no checkpoint yet: these events are not verified. */
  readonly unsealed_epochs: readonly number[];
  /** At most 1,000 of each verdict; without numbers that the comparison has as missing or altered itself. */
  readonly findings: readonly Finding[];
  /** Number of all of these, of each verdict. */
  readonly counts: Counts;
  /** Whether the logs have each event of the files that they cover, as the files hold it. */
  readonly verified: boolean;
}
