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

/** Missing numbers of one kind that are shown one by one. */
const mostShown = 5;

/** The reconciliation in words. */
export function report(found: Reconciliation): string {
  const { from, last_sequence: last, held, repeats, out_of_order: outOfOrder, missing } = found;
  const given = Math.max(0, last - from + 1);
  const lines = [
    `The destination is ${found.destination_status} and has given out the numbers ${from} to ${last}: ${given} events.`,
    `The export holds ${held} different events, ${repeats} repeats, ${outOfOrder} that arrived after a later number.`,
  ];
  for (const [because, meaning] of Object.entries(meanings)) {
    const those = missing.filter((one) => one.because === because);
    if (those.length === 0) continue;
    lines.push(`${those.length} missing: ${meaning}`);
    for (const { sequence, event_id: id, detail } of those.slice(0, mostShown))
      lines.push(`  ${sequence}  ${[id, detail].filter(Boolean).join('  ')}`.trimEnd());
    if (those.length > mostShown)
      lines.push(`  … and ${those.length - mostShown} more, all of them with --json`);
  }
  lines.push(...found.contradictions);
  lines.push(
    found.accounted_for
      ? missing.length === 0
        ? given === 0
          ? 'There is nothing to compare yet.'
          : 'Every event arrived. Nothing was lost.'
        : held === 0
          ? 'The export is EMPTY. What is missing is accounted for, but this shows nothing that arrived.'
          : 'Every number is accounted for. Nothing was lost.'
      : 'NOT every number is accounted for.',
  );
  return lines.join('\n');
}
