import { CheckpointError, openCheckpoint, type Checkpoint } from '../log/checkpoint.js';
import type { NoteKey } from '../log/note-key.js';
import { parseNote } from '../log/note.js';
import type { ExportedEvent } from '../readers/event-line.js';
import { ErasedIndexes } from './erased-indexes.js';
import type { Findings, Place } from './finding.js';
import { LogCheck, type Evidence, type LogResult } from './log-check.js';
import { sealedEvent, type SealedEvent } from './sealed-event.js';
import type { GivenErasure } from './statements.js';

/** Compares the events of an export with the checkpoints of its logs. */
export class Verification {
  private readonly logs: ReadonlyMap<string, LogCheck>;
  /** Texts of the erasure records that sealed events announce, after the destination. */
  private readonly announced = new Set<string>();

  /**
   * @param checkpoints whose signatures were verified
   * @param keys that were given, for the checkpoints that events hold
   * @param findings gets what is wrong
   */
  constructor(
    checkpoints: readonly Checkpoint[],
    private readonly keys: readonly NoteKey[],
    readonly findings: Findings,
  ) {
    const logs = new Set(checkpoints.map(({ origin }) => origin));
    const headsOf = (log: string) => checkpoints.filter(({ origin }) => origin === log).toSorted(bySize);
    this.logs = new Map(Array.from(logs, (log) => [log, new LogCheck(log, headsOf(log), findings)] as const));
  }

  /** Adds an event of the export. */
  add(exported: ExportedEvent, place: Place): void {
    const event = sealedEvent(exported);
    const { eventId: event_id, sequence } = event;
    if ('verdict' in event) {
      this.findings.add({ verdict: event.verdict, sequence, event_id, ...place, reason: event.reason });
      return;
    }
    const { log, checkpoint } = event;
    if (checkpoint !== undefined) this.addCheckpoint(checkpoint, event, place);
    const check = this.logs.get(log);
    if (check !== undefined) {
      check.add(event, place);
      if (check.isSealed(event)) this.addAnnounced(event);
    } else if ([...this.logs.keys()].some((known) => destinationOf(known) === destinationOf(log)))
      this.findings.add({
        verdict: 'wrong_epoch',
        log,
        sequence,
        event_id,
        ...place,
        reason: 'no checkpoint of this epoch is given',
      });
    else this.findings.add({ verdict: 'foreign', log, sequence, event_id, ...place, reason: 'of another destination' });
  }

  /** Returns the result of each log. @param evidenceOf what is there of a log */
  async finish(
    evidenceOf: (log: string) => Evidence,
    erasures: readonly GivenErasure[] = [],
  ): Promise<readonly LogResult[]> {
    const believed = erasures.filter((erasure) => this.isBelieved(erasure)).map(({ record }) => record);
    const results: LogResult[] = [];
    for (const [log, check] of this.logs) {
      const named = new ErasedIndexes(believed.filter(({ origin }) => origin === log));
      results.push(await check.finish(evidenceOf(log), named));
    }
    return results;
  }

  /** Returns whether an event in the files that a checkpoint covers announces a record. */
  announces({ record, text }: GivenErasure): boolean {
    return this.announced.has(`${destinationOf(record.origin)} ${text}`);
  }

  /** Returns whether such an event announces a record of a log that is not given. */
  announcesOthers(log: string, given: readonly GivenErasure[]): boolean {
    const known = new Set(given.map(({ text }) => text));
    const destination = `${destinationOf(log)} `;
    return [...this.announced].some((announced) => {
      const text = announced.slice(destination.length);
      return announced.startsWith(`${destination}${log}\n`) && !known.has(text);
    });
  }

  /** Adds a checkpoint that an event holds. One that no given key has signed says nothing. */
  private addCheckpoint(note: string, { sequence, eventId: event_id }: SealedEvent, place: Place): void {
    const log = note.slice(0, note.indexOf('\n'));
    const check = this.logs.get(log);
    if (check === undefined) return;
    try {
      check.addHead({ ...openCheckpoint(note, this.keys), ...place });
    } catch (error) {
      if (!(error instanceof CheckpointError)) throw error;
      if (error.fault === 'unknown_key') return;
      const reason = `in an event: ${error.message}`;
      this.findings.add({ verdict: 'forged_checkpoint', log, sequence, event_id, ...place, reason });
    }
  }

  private addAnnounced({ log, record }: SealedEvent): void {
    const text = record === undefined ? null : textOf(record);
    if (text !== null) this.announced.add(`${destinationOf(log)} ${text}`);
  }

  /** Returns whether a record is of one of the logs, and an event in the files announces it; else that is a finding. */
  private isBelieved(erasure: GivenErasure): boolean {
    const { record, file } = erasure;
    const { origin: log, erasureId } = record;
    if (!this.logs.has(log)) {
      const reason = `the record of ${erasureId} is of the log ${log}, whose checkpoint is not given`;
      this.findings.add({ verdict: 'foreign_erasure', log, file, reason });
    } else if (!this.announces(erasure)) {
      const reason = `no event of the destination that a checkpoint covers has this record of ${erasureId}`;
      this.findings.add({ verdict: 'unannounced_erasure', log, file, reason });
    } else return true;
    return false;
  }
}

/** Returns the signed text of a note; null for what is none. */
function textOf(note: string): string | null {
  try {
    return parseNote(note).text;
  } catch {
    return null;
  }
}

function bySize(a: Checkpoint, b: Checkpoint): number {
  return a.size - b.size;
}

/** Returns an origin without its epoch. */
function destinationOf(origin: string): string {
  return origin.slice(0, origin.lastIndexOf('/'));
}
