import type { Finding, Verdict } from '../check/finding.js';
import type { LogResult } from '../check/log-check.js';
import type { ReadFile } from '../files/export-file.js';

/** Statement of a cosigner that a checkpoint extends all that it has seen of the log. */
export interface CosignedCheckpoint {
  readonly log: string;
  /** Number of leaves in the checkpoint. */
  readonly size: number;
  /** Name of the cosigner. */
  readonly cosigner: string;
  /** When it has signed, by its own clock; RFC 3339. */
  readonly cosigned_at: string;
}

/** Result of a run. */
export interface Report {
  /** RFC 3339. */
  readonly verified_at: string;
  /** Verifier keys that were given. */
  readonly keys: readonly string[];
  /** The cosignatures of given cosigners. */
  readonly cosignatures: readonly CosignedCheckpoint[];
  readonly files: readonly ReadFile[];
  /** Events in lines of an export of Waybill. */
  readonly of_waybill: number;
  readonly logs: readonly LogResult[];
  /** Number of the findings of each verdict. */
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  /** At most 1,000 of each verdict. */
  readonly findings: readonly Finding[];
}

/** Returns whether each event of each checkpoint is in the files, as the log has it. */
export function isVerified({ logs, findings }: Report): boolean {
  return logs.length > 0 && findings.length === 0 && logs.every((log) => log.is_compared);
}

/** Returns the last sentence of a report. */
export function verdictOf(report: Report): string {
  const events = report.logs.reduce((sum, log) => sum + log.events, 0);
  const erased = report.logs.reduce((sum, log) => sum + log.erased, 0);
  const later = report.logs.reduce((sum, log) => sum + log.not_yet_sealed, 0);
  if (!isVerified(report)) return 'NOT VERIFIED.';
  return (
    `VERIFIED: ${events === 1 ? 'the event is' : `all ${events} events are`} as the log has them, and none is missing.` +
    (erased === 0 ? '' : ` ${erased} ${erased === 1 ? 'was' : 'were'} erased, as signed records say.`) +
    (later === 0 ? '' : ` ${later} later events are not verified: the checkpoint is older.`)
  );
}

/** Returns the words for what erasure records name of a log; null where none does. */
export function erasedIn({ erased, erased_numbers: ranges, erased_but_there: there }: LogResult): string | null {
  if (erased + there === 0) return null;
  const numbers = ranges.slice(0, 10).map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
  const list = `${numbers.join(', ')}${ranges.length > 10 ? ', …' : ''}`;
  return (
    `Erasure records name ${erased} numbers that are not in the files${list === '' ? '' : `: ${list}`}.` +
    (there === 0 ? '' : ` They name ${there} that are there: the export still holds these events.`)
  );
}
