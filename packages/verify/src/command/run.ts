import { writeFile } from 'node:fs/promises';
import { counted } from '../check/finding-words.js';
import { Findings, type Place, type Verdict } from '../check/finding.js';
import type { Evidence } from '../check/log-check.js';
import { ProofCheck } from '../check/proof-check.js';
import { believed, erasuresIn, type GivenErasure } from '../check/statements.js';
import { Verification } from '../check/verification.js';
import { nameOf, readLines, STANDARD_INPUT, type ReadFile } from '../files/export-file.js';
import { besideCheckpoint, LogFiles, readKeys, shownPlace } from '../files/log-files.js';
import { openCheckpoint, type Checkpoint } from '../log/checkpoint.js';
import { cosignaturesOf } from '../log/cosignature.js';
import { parseCosigner, parseVkey, vkeyOf, type NoteKey } from '../log/note-key.js';
import { parseLogProof } from '../log/tlog-proof.js';
import { eventsOfLine, isUnnumbered, type ExportedEvent } from '../readers/event-line.js';
import type { VerifyOptions } from './options.js';
import { htmlReport } from './report-html.js';
import { textReport } from './report-text.js';
import { isVerified, type CosignedCheckpoint, type Report } from './report.js';

/** Verdicts about events that an erasure record may name. */
const ABSENT: ReadonlySet<Verdict> = new Set(['missing', 'cut_at_the_end']);

/** Note on a log of which such events are not there. */
const OTHER_ERASURES =
  'The files announce erasure records of this log that were not given. Give them with --erasures: what they name is not missing.';

/** What a run prints, and its exit code. */
export interface Outcome {
  readonly output: string;
  readonly exitCode: 0 | 1 | 2;
}

/**
 * Verifies an export.
 * @param apiKey for addresses of Waybill; empty for none
 * @throws Error when a file or an address cannot be read
 */
export async function run(options: VerifyOptions, apiKey: string): Promise<Outcome> {
  const report = await verified(options, new LogFiles(apiKey));
  if (options.html !== undefined) await writeFile(options.html, htmlReport(report));
  const output = options.json ? JSON.stringify({ verified: isVerified(report), ...report }) : textReport(report);
  return { output: `${output}\n`, exitCode: exitCodeOf(report) };
}

/** Returns 2 where the tool cannot tell: nothing is wrong, and not each event was compared. */
function exitCodeOf(report: Report): Outcome['exitCode'] {
  if (isVerified(report)) return 0;
  return report.findings.length > 0 ? 1 : 2;
}

async function verified(options: VerifyOptions, logs: LogFiles): Promise<Report> {
  const keys = (await readKeys(options.keys)).map((key) => parseVkey(key));
  const cosigners = (await readKeys(options.cosigners)).map((key) => parseCosigner(key));
  const { cosignersNeeded: needed = cosigners.length } = options;
  if (needed > cosigners.length) throw new Error(`${needed} cosigners are needed, and only ${cosigners.length} given.`);
  const trusted: TrustedKeys = { keys, cosigners, needed };
  const findings = new Findings();
  const cosignatures: CosignedCheckpoint[] = [];
  const opened = (note: string, where: string) => openedNote(note, shownPlace(where), trusted, findings, cosignatures);
  const base = {
    verified_at: new Date().toISOString(),
    keys: keys.map(vkeyOf),
    statements: logs.statements,
    cosignatures,
    counts: findings.counts,
  };
  if (options.proofs.length > 0) {
    const check = new ProofCheck(findings);
    for (const where of options.proofs) {
      const proof = parseLogProof(await logs.text(where, 'proof'));
      const checkpoint = opened(proof.checkpoint, where);
      if (checkpoint !== null) check.expect(checkpoint, proof);
    }
    const read = await readEvents(options.files, findings, (event, place) => check.add(event, place));
    return { ...base, ...read, logs: check.finish(), findings: findings.list };
  }
  const checkpoints: Checkpoint[] = [];
  /** Of each log, the checkpoint that counts. */
  const counting = new Map<string, { readonly size: number; readonly where: string }>();
  for (const where of options.checkpoints) {
    const checkpoint = opened(await logs.text(where, 'checkpoint'), where);
    if (checkpoint === null) continue;
    checkpoints.push(checkpoint);
    const { origin, size } = checkpoint;
    if (size >= (counting.get(origin)?.size ?? 0)) counting.set(origin, { size, where });
  }
  if (options.tiles !== undefined && counting.size > 1)
    throw new Error('--tiles is for one log. Omit it, and give each checkpoint with its tiles beside it.');
  const erasures: GivenErasure[] = [];
  for (const where of options.erasures)
    erasures.push(...erasuresIn(await logs.text(where, 'erasure records'), shownPlace(where), keys, findings));
  const verification = new Verification(checkpoints, keys, findings);
  const read =
    checkpoints.length === 0
      ? { files: [], of_waybill: 0, unnumbered: 0 }
      : await readEvents(options.files, findings, (event, place) => verification.add(event, place));
  const evidenceOf = (log: string): Evidence => ({
    tiles: logs.tiles(options.tiles ?? besideCheckpoint(counting.get(log)?.where ?? '')),
    readEvents: (onEvent) => readAgain(options.files, onEvent),
  });
  const results = (await verification.finish(evidenceOf, erasures)).map((result) => {
    const isMissing = findings.list.some(({ log, verdict }) => log === result.log && ABSENT.has(verdict));
    if (!isMissing || !verification.announcesOthers(result.log, erasures)) return result;
    return { ...result, note: [result.note, OTHER_ERASURES].filter((note) => note !== undefined).join(' ') };
  });
  return { ...base, ...read, logs: results, findings: findings.list };
}

/** Who must have signed a checkpoint. */
interface TrustedKeys {
  readonly keys: readonly NoteKey[];
  readonly cosigners: readonly NoteKey[];
  /** How many cosigners must have. */
  readonly needed: number;
}

/** Returns a checkpoint; null if it is not believed, which is a finding. */
function openedNote(
  note: string,
  where: string,
  { keys, cosigners, needed }: TrustedKeys,
  findings: Findings,
  cosigned: CosignedCheckpoint[],
): Checkpoint | null {
  const open = () => ({ checkpoint: openCheckpoint(note, keys), found: cosignaturesOf(note, cosigners) });
  const opened = believed(open, 'forged_checkpoint', where, findings);
  if (opened === null) return null;
  const { checkpoint, found } = opened;
  const { origin: log, size } = checkpoint;
  for (const { key, time } of found)
    cosigned.push({ log, size, cosigner: key.name, cosigned_at: new Date(time * 1_000).toISOString() });
  if (found.length >= needed) return checkpoint;
  const reason = `the checkpoint of ${log} with ${counted(size, 'event')} has ${found.length} of ${counted(needed, 'needed cosignature')}`;
  findings.add({ verdict: 'not_cosigned', log, file: where, reason });
  return null;
}

/** Reads the events of the files, and counts those of exports of Waybill. Another line is a finding. */
async function readEvents(
  files: readonly string[],
  findings: Findings,
  onEvent: (event: ExportedEvent, place: Place) => void,
): Promise<Pick<Report, 'files' | 'of_waybill' | 'unnumbered'>> {
  const read: ReadFile[] = [];
  let ofWaybill = 0;
  let unnumbered = 0;
  for (const file of files) {
    const name = nameOf(file);
    const onLine = (line: string, number: number) => {
      const place = { file: name, line: number };
      const found = eventsIn(line);
      if (found instanceof Error) {
        if (isUnnumbered(line)) unnumbered += 1;
        else findings.add({ verdict: 'unreadable', ...place, reason: found.message });
        return;
      }
      for (const event of found) {
        if (event.isOfWaybill) ofWaybill += 1;
        onEvent(event, place);
      }
    };
    read.push(await readLines(file, onLine));
  }
  return { files: read, of_waybill: ofWaybill, unnumbered };
}

/** Returns the events of a line, or the reason why it has none. */
function eventsIn(line: string): readonly ExportedEvent[] | Error {
  try {
    return eventsOfLine(line);
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** Reads the events of the files again; those of standard input cannot be read again. */
async function readAgain(
  files: readonly string[],
  onEvent: (event: ExportedEvent, place: Place) => void,
): Promise<void> {
  const again = files.filter((file) => file !== STANDARD_INPUT);
  await readEvents(again, new Findings(), onEvent);
}
