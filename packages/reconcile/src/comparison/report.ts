import { counted, oneLine } from '@waybill/verify/check';
import type { EventNumber } from '@waybill/verify/readers';
import { contentReport, contentVerdict } from './content-report.js';
import { erasedBy, proofReport, proofVerdict } from './proof-report.js';
import type { Missing, Reconciliation } from './reconcile.js';
import { idText, listed, ofEpoch } from './report-lines.js';

const meanings: Readonly<Record<Exclude<Missing['because'], 'erased'>, string>> = {
  in_flight: 'in the batch that is being sent or retried',
  pending: 'waits to be sent',
  rejected: 'refused by the target for good; can be redelivered',
  expired: 'not taken by the target before its deadline; can be redelivered',
  after_export: 'taken by the target after the export was made, so not expected in it',
  acknowledged: 'TAKEN BY THE TARGET, AND NOT IN THE EXPORT',
  unknown: 'NOT IN THE EXPORT, AND WAYBILL HAS NO RECORD OF IT (pruned by its retention, or lost)',
};

/**
 * Formats a reconciliation as text.
 * @param isWhole lists every number; default: five of each kind
 */
export function report(found: Reconciliation, isWhole = false): string {
  const { missing, contradictions } = found;
  const erased = missing.filter(({ because }) => because === 'erased');
  // No `push(...lines)`: a call takes some 100,000 arguments at most.
  const lines = [
    ...compared(found),
    ...contentReport(found, isWhole),
    ...Object.entries(meanings).flatMap(([because, meaning]) => {
      const those = missing.filter((one) => one.because === because);
      const what = because === 'after_export' ? 'after the export' : 'missing';
      return listed(`${those.length} ${what}: ${meaning}`, those, isWhole, missingLine);
    }),
    ...listed(`${erased.length} erased: ${erasedBy(found)}`, erased, isWhole, missingLine),
    ...undoneOf(found),
    ...proofReport(found, isWhole),
    ...listed(
      `${counted(contradictions.length, 'CONTRADICTION')}: the export and Waybill's record cannot both be right`,
      contradictions,
      isWhole,
      (one) => [one],
    ),
    verdict(found) + proofVerdict(found),
  ];
  return lines.map(oneLine).join('\n');
}

function missingLine({ epoch, sequence, event_id: id, detail }: Missing): readonly string[] {
  return [`  ${sequence}${ofEpoch(epoch)}  ${[id && idText(id), detail].filter(Boolean).join('  ')}`.trimEnd()];
}

function compared(found: Reconciliation): string[] {
  const { from, last_sequence: last, held, repeats, out_of_order: outOfOrder } = found;
  const epoch = found.epoch === 1 ? '' : ` in epoch ${found.epoch}`;
  const given = last === 0 ? 'no sequence yet' : `the sequences 1 to ${last}`;
  const events = counted(numbersOf(found), 'event');
  const scope = from === 1 ? `: ${events}` : `. Looked at from ${from} on: ${events}`;
  const among = from === 1 ? '' : ` (${arrivedOf(found)} of those)`;
  return [
    `The destination is ${found.destination_status}${epoch} and has given out ${given}${scope}.`,
    `The export holds ${counted(held, 'different event')}${among}, ${counted(repeats, 'repeat')}, ${outOfOrder} that arrived after a later sequence.`,
  ];
}

/** Describes the undone events: those of numbers that a restore has taken back. */
function undoneOf({ undone }: Reconciliation): readonly string[] {
  const [first] = undone;
  const last = undone.at(-1);
  if (!first || !last) return [];
  const range = undone.length === 1 ? numberText(first) : `${numberText(first)} to ${numberText(last)}`;
  return [
    `${counted(undone.length, 'UNDONE event')}: delivered before the database was restored, and unknown to Waybill now`,
    `  ${range}`,
  ];
}

function numberText({ sequence, epoch }: EventNumber): string {
  return `${sequence} of epoch ${epoch}`;
}

function verdict(found: Reconciliation): string {
  const { accounted_for: accountedFor, missing, held } = found;
  const altered = found.altered.length;
  const alteration = `${counted(altered, 'event')} ${altered === 1 ? 'was' : 'were'} ALTERED.`;
  if (found.of_waybill > 0)
    return `NOTHING IS PROVED: the file is Waybill's own export, or holds lines of one. Give the file of the target.${altered > 0 ? ` ${alteration}` : ''}`;
  if (!accountedFor) return `NOT every sequence is accounted for${altered > 0 ? `, and ${alteration}` : '.'}`;
  if (altered > 0) return `Every sequence is accounted for, but ${alteration}`;
  if (numbersOf(found) === 0) return 'There is nothing to compare yet.';
  if (missing.length === 0)
    return found.undone.length === 0
      ? `Every event arrived. Nothing was lost. ${contentVerdict(found)}`
      : `Every event that Waybill knows arrived. Waybill itself has lost the undone ones. ${contentVerdict(found)}`;
  if (held === 0) return 'The export is EMPTY. What is missing is accounted for, but this shows nothing that arrived.';
  return `Every sequence is accounted for: ${[`${arrivedOf(found)} arrived`, ...fates(found)].join(', ')}. ${contentVerdict(found)}`;
}

/** Describes the missing events that are accounted for: "1 was not delivered (rejected)". */
function fates(found: Reconciliation): string[] {
  const { missing } = found;
  const those = (because: Missing['because']) => missing.filter((one) => one.because === because).length;
  const [rejected, expired, late] = [those('rejected'), those('expired'), those('after_export')];
  const waiting = those('in_flight') + those('pending');
  const why =
    rejected > 0 && expired > 0 ? `${rejected} rejected, ${expired} expired` : rejected > 0 ? 'rejected' : 'expired';
  return [
    ...fate(rejected + expired, `not delivered (${why})`),
    ...fate(waiting, 'not delivered yet'),
    ...fate(late, 'delivered after the export was made'),
    ...fate(those('erased'), `erased ${erasedBy(found)}`),
  ];
}

function fate(count: number, became: string): readonly string[] {
  return count === 0 ? [] : [`${count} ${count === 1 ? 'was' : 'were'} ${became}`];
}

/** Counts the compared sequences. */
function numbersOf({ from, last_sequence: last }: Reconciliation): number {
  return Math.max(0, last - from + 1);
}

/** Counts the compared sequences in the export. */
function arrivedOf(found: Reconciliation): number {
  return numbersOf(found) - found.missing.length;
}
