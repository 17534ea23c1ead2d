import { countBeyond, counted, placeOf, verdicts } from '@waybill/verify/check';
import type { Reconciliation } from './reconcile.js';
import { listed } from './report-lines.js';

/** Returns the lines about the signed logs: what they rest on, and what they have otherwise than the files. */
export function proofReport({ proof }: Reconciliation, isWhole: boolean): readonly string[] {
  if (proof === undefined) return [];
  const { keys, read_at: readAt, logs, unsealed_epochs: unsealed, findings, counts } = proof;
  return [
    ...logs.flatMap(({ log, size, events, not_yet_sealed: later, note }) => [
      `Signed log: ${log}, checkpoint of ${counted(size, 'event')}, read at ${readAt.slice(0, 19).replace('T', ' ')} UTC, key ${keys.join(', ')}.`,
      `The files hold ${events} of them, and ${counted(later, 'event')} after the checkpoint, not verified.`,
      ...(note === undefined ? [] : [note]),
    ]),
    ...(logs.length === 0 ? ['No signed checkpoint of this destination can be used.'] : []),
    ...unsealed.map(
      (epoch) => `Epoch ${epoch} has no checkpoint yet: its events could not be verified. Compare again in a minute.`,
    ),
    ...verdicts.flatMap(([verdict, meaning]) => {
      const those = findings.filter((one) => one.verdict === verdict);
      const headline = `${counts[verdict] ?? 0} of the signed log: ${meaning}`;
      const unlisted = countBeyond(counts, verdict, findings);
      if (those.length === 0) return unlisted > 0 ? [headline] : [];
      return [
        ...listed(headline, those, isWhole, (one) => [`  ${placeOf(one)}  ${one.reason}`]),
        ...(unlisted > 0 ? [`  … and ${unlisted} more that are not listed`] : []),
      ];
    }),
  ];
}

/** Returns what the signed logs add to the verdict. */
export function proofVerdict({ proof }: Reconciliation): string {
  if (proof === undefined) return '';
  if (!proof.verified) return ' NOT VERIFIED with the signed log.';
  const hasLater = proof.logs.some((log) => log.not_yet_sealed > 0);
  const but = hasLater ? ' but what came after the checkpoint, which is not verified' : '';
  return ` The signed log has each of these events${but}.`;
}

/** Returns who says that an event is erased. */
export function erasedBy({ proof }: Pick<Reconciliation, 'proof'>): string {
  return proof === undefined ? 'by a record that was not verified' : 'by a signed record';
}
