import { counted } from '@waybill/verify/check';
import { uncertainOf, type AlteredEvent, type AlteredLine, type UncertainEvent } from './content-result.js';
import type { Difference } from './differences.js';
import { erasedBy } from './proof-report.js';
import type { Reconciliation } from './reconcile.js';
import { idText, listed, ofEpoch } from './report-lines.js';

/** Most characters of a value in a line of the report. JSON has the whole. */
const MOST_CHARACTERS = 200;

/** What the signed log says of an altered event. */
const LOG_HAS_FILE = "THE SIGNED LOG HAS IT AS THE FILE DOES: Waybill's own record was altered";
const LOG_HAS_OTHER = 'the signed log does not have it as the file does';

/** The line above the events whose content was not compared, after their number. */
const uncertainties: Readonly<
  Record<UncertainEvent['because'], (count: number, since: string | null, erased: string) => string>
> = {
  no_record: (count, since) =>
    `${count} UNKNOWN: IN THE EXPORT, AND WAYBILL HAS NO RECORD OF ${count === 1 ? 'IT' : 'THEM'}, ${since === null ? 'THOUGH IT HAS REMOVED NONE' : `THOUGH IT HAS ALL SINCE ${since}`}`,
  target_form: (count) =>
    `The content of ${counted(count, 'event')} was not compared: the target stores events in a form of its own, without some members or with others`,
  before_records: (count, since) =>
    `The content of ${counted(count, 'event')} was not compared: before the records that Waybill still has${since === null ? '' : ` (since ${since})`}`,
  erased: (count, _, by) =>
    `${count} ERASED, AND IN THE EXPORT: Waybill has erased ${count === 1 ? 'it' : 'them'} ${by}, and the content was not compared`,
};

/** Returns the lines about the contents: what was compared, what is altered, and what could not be compared. */
export function contentReport(found: Reconciliation, isWhole: boolean): readonly string[] {
  const { altered, of_waybill: ofWaybill } = found;
  const since = found.content.compared ? (found.content.export?.complete_since ?? null) : null;
  const ofWaybillLine = `${counted(ofWaybill, 'event')} in the file ${ofWaybill === 1 ? 'is' : 'are'} from an EXPORT OF WAYBILL. It shows what was delivered, and not what the target holds.`;
  return [
    comparedSentence(found),
    ...(ofWaybill > 0 ? [ofWaybillLine] : []),
    ...listed(
      `${altered.length} ALTERED: IN THE EXPORT WITH CONTENT OTHER THAN WHAT WAYBILL DELIVERED`,
      altered,
      isWhole,
      alteredLines,
    ),
    ...Object.entries(uncertainties).flatMap(([because, headline]) => {
      const those = uncertainOf(found).filter((one) => one.because === because);
      return listed(headline(those.length, since, erasedBy(found)), those, isWhole, uncertainLines);
    }),
  ];
}

/** Returns what the comparison says of the contents of an export in which no event is altered. */
export function contentVerdict(found: Reconciliation): string {
  const uncertain = uncertainOf(found).length;
  if (!found.content.compared) return 'The content was not compared.';
  return uncertain === 0 ? 'Nothing was altered.' : `The content of ${counted(uncertain, 'event')} was not compared.`;
}

/** Returns a difference as a sentence: `object.cidr: "10.0.0.0/9" in the file, "10.0.0.0/8" delivered`. */
export function differenceText(difference: Difference): string {
  const { member, delivered, held } = difference;
  return `${member}: ${valueText('held' in difference, held)} in the file, ${valueText('delivered' in difference, delivered)} delivered`;
}

function comparedSentence({ content }: Reconciliation): string {
  if (!content.compared)
    return `Compared: sequences and ids only.${content.reason === null ? '' : ` CONTENT NOT COMPARED: ${content.reason}`}`;
  const { events, export: of } = content;
  const source = of === null ? '' : `, with Waybill's export ${of.id} (SHA-256 ${of.sha256})`;
  return `Compared: sequences, ids and content of ${counted(events, 'event')}${source}.`;
}

function alteredLines(one: AlteredEvent): readonly string[] {
  const { epoch, sequence, event_id: id, lines, has_intact_line: hasIntact, delivered, in_log: inLog } = one;
  return [
    `  ${sequence}${ofEpoch(epoch)}  ${idText(id)}${hasIntact ? '  (another line holds it unaltered)' : ''}`,
    ...(inLog == null ? [] : [`    ${inLog ? LOG_HAS_FILE : LOG_HAS_OTHER}`]),
    ...lines.flatMap(placeLines),
    ...(delivered === null ? [] : [`    delivered: ${JSON.stringify(delivered)}`]),
  ];
}

function placeLines({ file, line, differences }: AlteredLine): readonly string[] {
  return [`    ${file}, line ${line}`, ...differenceLines(differences)];
}

function uncertainLines({ epoch, sequence, event_id: id, differences }: UncertainEvent): readonly string[] {
  return [`  ${sequence}${ofEpoch(epoch)}  ${idText(id)}`, ...differenceLines(differences)];
}

function differenceLines(differences: readonly Difference[] | null): readonly string[] {
  return (differences ?? []).map((one) => `      ${differenceText(one)}`);
}

function valueText(isThere: boolean, value: unknown): string {
  if (!isThere) return 'no such member';
  // A number that no double holds: JSON.stringify would show null.
  const text = JSON.stringify(value, (_, one: unknown) => (one === Infinity || one === -Infinity ? String(one) : one));
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}
