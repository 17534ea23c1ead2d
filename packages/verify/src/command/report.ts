import { counted } from '../check/finding-words.js';
import type { Counts, Finding } from '../check/finding.js';
import type { LogResult } from '../check/log-check.js';
import type { ReadFile } from '../files/export-file.js';
import type { ReadStatement } from '../files/log-files.js';

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
  /** The files of checkpoints, erasure records and proofs. */
  readonly statements: readonly ReadStatement[];
  /** The cosignatures of given cosigners. */
  readonly cosignatures: readonly CosignedCheckpoint[];
  readonly files: readonly ReadFile[];
  /** Events in lines of an export of Waybill. */
  readonly of_waybill: number;
  /** Lines of such an export, of events that have no number yet. They are not verified. */
  readonly unnumbered: number;
  readonly logs: readonly LogResult[];
  readonly counts: Counts;
  /** At most 1,000 of each verdict. */
  readonly findings: readonly Finding[];
}

/** Returns whether each event of each checkpoint, or of each proof, is in the files, as the log has it. */
export function isVerified({ logs, findings }: Report): boolean {
  return logs.length > 0 && findings.length === 0 && logs.every((log) => log.is_compared);
}

/** Returns whether single events were compared with proofs. Else every event was looked for. */
export function isOfProofs({ statements }: Report): boolean {
  return statements.some(({ kind }) => kind === 'proof');
}

/** Returns the last sentence of a report. */
export function verdictOf(report: Report): string {
  const events = report.logs.reduce((sum, log) => sum + log.events, 0);
  const erased = report.logs.reduce((sum, log) => sum + log.erased, 0);
  const later = report.logs.reduce((sum, log) => sum + log.not_yet_sealed, 0);
  if (!isVerified(report))
    return report.findings.length > 0
      ? 'NOT VERIFIED.'
      : 'CANNOT TELL: nothing was found wrong, and not every event could be compared with the log.';
  return (
    `VERIFIED: ${wholeness(report, events)}.` +
    (erased === 0 ? '' : ` ${erased} ${erased === 1 ? 'was' : 'were'} erased, as signed records say.`) +
    (later === 0
      ? ''
      : ` ${counted(later, 'later event')} ${later === 1 ? 'is' : 'are'} not verified: the checkpoint is older.`) +
    (report.unnumbered === 0 ? '' : ` ${unnumberedIn(report)}`)
  );
}

function wholeness(report: Report, events: number): string {
  if (events === 0) return 'the log has no events';
  const intact = events === 1 ? 'the event is as the log has it' : `all ${events} events are as the log has them`;
  return `${intact}${isOfProofs(report) ? '. Other events of the log were not looked for' : ', and none is missing'}`;
}

/** Returns the words for what erasure records name of a log; null where none does. */
export function erasedIn({ erased, erased_sequences: ranges, erased_but_there: there }: LogResult): string | null {
  if (erased + there === 0) return null;
  const named = ranges.slice(0, 10).map(([first, last]) => (first === last ? `${first}` : `${first} to ${last}`));
  const list = `${named.join(', ')}${ranges.length > 10 ? ', …' : ''}`;
  return (
    `Erasure records name ${counted(erased, 'sequence')} that ${erased === 1 ? 'is' : 'are'} not in the files${list === '' ? '' : `: ${list}`}.` +
    (there === 0
      ? ''
      : ` They name ${there} that ${there === 1 ? 'is there: the export still holds this event' : 'are there: the export still holds these events'}.`)
  );
}

/** Returns the words for lines that do not show what the target holds; null where there are none. */
export function ofWaybillIn(report: Report): string | null {
  const { of_waybill: count, unnumbered } = report;
  const lines = `${counted(count, 'line')} ${count === 1 ? 'is' : 'are'} of an export of Waybill, not of the target.`;
  return [...(count > 0 ? [lines] : []), ...(unnumbered > 0 ? [unnumberedIn(report)] : [])].join(' ') || null;
}

function unnumberedIn({ unnumbered }: Report): string {
  return `${counted(unnumbered, 'event')} ${unnumbered === 1 ? 'has' : 'have'} no number yet: not verified.`;
}
