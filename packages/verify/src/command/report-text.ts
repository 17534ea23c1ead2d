import { counted, oneLine, placeOf, verdicts } from '../check/finding-words.js';
import { countBeyond } from '../check/finding.js';
import { erasedIn, ofWaybillIn, verdictOf, type Report } from './report.js';

/** Findings of one verdict that are listed. */
const MOST_LISTED = 10;

/** Returns a report as text for a terminal. */
export function textReport(report: Report): string {
  const lines = [
    ...report.files.flatMap(({ name, bytes, sha256, column }) => [
      `File: ${name}, ${bytes} bytes, SHA-256 ${sha256}`,
      ...(column === undefined ? [] : [`Of ${name}, only the column \`${column}\` is verified: read no other.`]),
    ]),
    ...report.logs.flatMap((log) => [
      `Log: ${log.log}, ${counted(log.size, 'event')}, root ${log.root}`,
      `The files hold ${log.events} of them, ${counted(log.repeats, 'repeat')} with the same content, ${log.out_of_order} after a later sequence, and ${counted(log.not_yet_sealed, 'event')} after the checkpoint.`,
      ...[erasedIn(log), log.note].filter((line) => line != null),
    ]),
    ...report.cosignatures.map(
      ({ log, size, cosigner, cosigned_at: at }) =>
        `Cosigned: ${log}, ${counted(size, 'event')}, by ${cosigner} at ${at}`,
    ),
    ofWaybillIn(report),
  ].filter((line) => line !== null);
  for (const [verdict, meaning] of verdicts) {
    const count = report.counts[verdict] ?? 0;
    if (count === 0) continue;
    const those = report.findings.filter((finding) => finding.verdict === verdict);
    lines.push(`${count} ${meaning}`);
    const listed = those.slice(0, MOST_LISTED);
    for (const finding of listed) lines.push(`  ${placeOf(finding)}  ${finding.reason}`);
    const rest = countBeyond(report.counts, verdict, listed);
    const kept = rest - countBeyond(report.counts, verdict, those);
    if (rest > 0) lines.push(`  … and ${rest} more, ${kept === rest ? '' : `${kept} of them `}with --json`);
  }
  return [...lines, verdictOf(report)].map(oneLine).join('\n');
}
