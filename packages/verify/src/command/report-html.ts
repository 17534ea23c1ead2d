import { placeOf, verdicts } from '../check/finding-words.js';
import { countBeyond } from '../check/finding.js';
import { erasedIn, isOfProofs, isVerified, ofWaybillIn, verdictOf, type Report } from './report.js';

const STYLE = `
body { font: 15px/1.5 system-ui, sans-serif; color: #1b1f24; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
.verdict { border-left: 0.4rem solid #b42318; padding: 0.6rem 1rem; font-weight: 600; background: #fdf1f0; }
.verdict.verified { border-color: #176b3a; background: #eef8f1; }
table { border-collapse: collapse; width: 100%; } caption { text-align: left; color: #57606a; }
th, td { text-align: left; vertical-align: top; padding: 0.3rem 0.6rem 0.3rem 0; border-bottom: 1px solid #d0d7de; overflow-wrap: anywhere; }
code { font: 0.85em ui-monospace, monospace; overflow-wrap: anywhere; }
@media print { body { margin: 0; max-width: none; font-size: 10pt; } tr, .verdict { break-inside: avoid; } }`;

const meanings = new Map(verdicts);

/** What a verified export shows, and what verified events show. */
const SHOWN = 'A verified export holds each of them as it was when Waybill recorded it.';
const SHOWN_BY_PROOFS =
  'A proof leads from one event to this hash. A verified event is as it was when Waybill recorded it. Other events of the log were not looked for.';

/** Returns a report as a page that needs no other file. */
export function htmlReport(report: Report): string {
  const { files, keys, logs, findings, counts, cosignatures, statements } = report;
  const ofWaybill = ofWaybillIn(report);
  const shown = isOfProofs(report) ? SHOWN_BY_PROOFS : SHOWN;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Verification of an audit trail</title>
<style>${STYLE}</style>
<h1>Verification of an audit trail</h1>
<p class="verdict${isVerified(report) ? ' verified' : ''}">${escaped(verdictOf(report))}</p>
<p>Verified at ${escaped(report.verified_at)}, with the keys ${keys.map((key) => `<code>${escaped(key)}</code>`).join(', ')}.</p>
${logs.map((log) => [erasedIn(log), log.note].map((line) => (line == null ? '' : `<p>${escaped(line)}</p>`)).join('')).join('')}
${ofWaybill === null ? '' : `<p>${ofWaybill}</p>`}
<h2>Findings</h2>
${
  findings.length === 0
    ? '<p>None.</p>'
    : tableOf(
        ['Finding', 'Sequence, event and place', 'Reason'],
        findings.map((finding) => [meanings.get(finding.verdict) ?? finding.verdict, placeOf(finding), finding.reason]),
      )
}
${verdicts
  .map(([verdict, meaning]) => [countBeyond(counts, verdict, findings), meaning] as const)
  .map(([rest, meaning]) => (rest === 0 ? '' : `<p>And ${rest} more that are not listed: ${escaped(meaning)}</p>`))
  .join('')}
<h2>Logs</h2>
${tableOf(
  ['Log', 'Events', 'Root', 'In the files', 'Repeats', 'After a later sequence', 'After the checkpoint'],
  logs.map((log) => [log.log, log.size, log.root, log.events, log.repeats, log.out_of_order, log.not_yet_sealed]),
)}
${
  cosignatures.length === 0
    ? ''
    : `<h2>Cosigners</h2>${tableOf(
        ['Cosigner', 'Log', 'Events', 'Signed at'],
        cosignatures.map(({ cosigner, log, size, cosigned_at: at }) => [cosigner, log, size, at]),
      )}`
}
<h2>Files</h2>
${tableOf(
  ['Name', 'What it holds', 'Bytes', 'SHA-256'],
  [
    ...files.map(({ name, bytes, sha256, column }) => [
      name,
      column === undefined ? 'events' : `events; only the column ${column} is verified`,
      bytes,
      sha256,
    ]),
    ...statements.map(({ name, kind, bytes, sha256 }) => [name, kind, bytes, sha256]),
  ],
)}
<h2>What this shows</h2>
<p>The checkpoint is a signed statement of how many events the log has, and of a hash over all of them. ${shown}
This does not show that a change became an event, and nothing about events after the checkpoint.</p>
</html>
`;
}

function tableOf(names: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return `<table><thead>${rowOf(names, 'th')}</thead><tbody>${rows.map((cells) => rowOf(cells, 'td')).join('\n')}</tbody></table>`;
}

function rowOf(cells: readonly (string | number)[], tag: 'td' | 'th'): string {
  return `<tr>${cells.map((cell) => `<${tag}>${escaped(String(cell))}</${tag}>`).join('')}</tr>`;
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"'\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (one) => `&#${one.charCodeAt(0)};`);
}
