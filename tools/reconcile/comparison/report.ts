import type { EventNumber } from './exported-events.js';
import type { Missing, Reconciliation } from './reconcile.js';

const meanings: Readonly<Record<Missing['because'], string>> = {
  in_flight: 'in the batch that is being sent or retried',
  pending: 'waits to be sent',
  rejected: 'refused by the target for good; can be redelivered',
  expired: 'not taken by the target before its deadline; can be redelivered',
  after_export: 'taken by the target after the export was made',
  acknowledged: 'TAKEN BY THE TARGET, AND NOT IN THE EXPORT',
  unknown: 'NOT IN THE EXPORT, AND WAYBILL HAS NO RECORD OF IT (pruned by its retention, or lost)',
};

/** Limit of missing sequences to list for each reason. */
const MOST_SHOWN = 5;

/** Formats a reconciliation as text. */
export function report(found: Reconciliation): string {
  const { missing } = found;
  const lines = compared(found);
  for (const [because, meaning] of Object.entries(meanings)) {
    const those = missing.filter((one) => one.because === because);
    if (those.length === 0) continue;
    lines.push(`${those.length} missing: ${meaning}`);
    for (const { epoch, sequence, event_id: id, detail } of those.slice(0, MOST_SHOWN))
      lines.push(`  ${sequence}${ofEpoch(epoch)}  ${[id, detail].filter(Boolean).join('  ')}`.trimEnd());
    if (those.length > MOST_SHOWN) lines.push(`  … and ${those.length - MOST_SHOWN} more, all of them with --json`);
  }
  return [...lines, ...ghostsOf(found), ...found.contradictions, verdict(found)].join('\n');
}

function compared(found: Reconciliation): string[] {
  const { from, last_sequence: last, held, repeats, out_of_order: outOfOrder } = found;
  const epoch = found.epoch === 1 ? '' : ` in epoch ${found.epoch}`;
  const given = last === 0 ? 'no numbers yet' : `the numbers 1 to ${last}`;
  const events = counted(numbersOf(found), 'event');
  const scope = from === 1 ? `: ${events}` : `. Looked at from ${from} on: ${events}`;
  const among = from === 1 ? '' : ` (${arrivedOf(found)} of those)`;
  return [
    `The destination is ${found.destination_status}${epoch} and has given out ${given}${scope}.`,
    `The export holds ${counted(held, 'different event')}${among}, ${counted(repeats, 'repeat')}, ${outOfOrder} that arrived after a later number.`,
  ];
}

/** Describes the ghosts: the events of numbers that a restore has taken back. */
function ghostsOf({ ghosts }: Reconciliation): readonly string[] {
  const [first] = ghosts;
  const last = ghosts.at(-1);
  if (!first || !last) return [];
  const shown = (number: EventNumber) => `${number.sequence} of epoch ${number.epoch}`;
  const range = ghosts.length === 1 ? shown(first) : `${shown(first)} to ${shown(last)}`;
  return [
    `${counted(ghosts.length, 'GHOST')}: delivered before the database was restored, and unknown to Waybill now`,
    `  ${range}`,
  ];
}

/** Names an epoch other than the first. */
function ofEpoch(epoch: number): string {
  return epoch === 1 ? '' : ` of epoch ${epoch}`;
}

function verdict(found: Reconciliation): string {
  const { accounted_for: accountedFor, missing, held } = found;
  if (!accountedFor) return 'NOT every number is accounted for.';
  if (numbersOf(found) === 0) return 'There is nothing to compare yet.';
  if (missing.length === 0)
    return found.ghosts.length === 0
      ? 'Every event arrived. Nothing was lost.'
      : 'Every event that Waybill knows arrived. Waybill itself has lost the ghosts.';
  if (held === 0) return 'The export is EMPTY. What is missing is accounted for, but this shows nothing that arrived.';
  return `Every number is accounted for: ${[`${arrivedOf(found)} arrived`, ...fates(missing)].join(', ')}.`;
}

/** Describes the missing events that are accounted for: "1 was not delivered (rejected)". */
function fates(missing: readonly Missing[]): string[] {
  const those = (because: Missing['because']) => missing.filter((one) => one.because === because).length;
  const [rejected, expired, late] = [those('rejected'), those('expired'), those('after_export')];
  const waiting = those('in_flight') + those('pending');
  const why =
    rejected > 0 && expired > 0 ? `${rejected} rejected, ${expired} expired` : rejected > 0 ? 'rejected' : 'expired';
  const fate = (count: number, became: string) =>
    count === 0 ? [] : [`${count} ${count === 1 ? 'was' : 'were'} ${became}`];
  return [
    ...fate(rejected + expired, `not delivered (${why})`),
    ...fate(waiting, 'not delivered yet'),
    ...fate(late, 'delivered after the export was made'),
  ];
}

/** Counts the compared sequences. */
function numbersOf({ from, last_sequence: last }: Reconciliation): number {
  return Math.max(0, last - from + 1);
}

/** Counts the compared sequences in the export. */
function arrivedOf(found: Reconciliation): number {
  return numbersOf(found) - found.missing.length;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
