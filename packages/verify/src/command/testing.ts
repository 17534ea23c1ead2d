import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Finding } from '../check/finding.js';
import type { LogResult } from '../check/log-check.js';
import { CHECKPOINT_EVENT, ERASURE_EVENT } from '../check/sealed-event.js';
import { checkpointText, parseCheckpoint, type Checkpoint } from '../log/checkpoint.js';
import { erasureText } from '../log/erasure-record.js';
import type { LeafRange } from '../log/proofs.js';
import { TestLog } from '../testing.js';
import { verifyOptions } from './options.js';
import { textReport } from './report-text.js';
import { run } from './run.js';

/** An event as it is delivered. */
export type Event = Readonly<Record<string, unknown>>;

/** Result of a run, as JSON and as text. */
export interface Result {
  readonly exitCode: number;
  readonly verified: boolean;
  readonly counts: Readonly<Record<string, number>>;
  readonly findings: readonly Finding[];
  readonly logs: readonly LogResult[];
  readonly unnumbered: number;
  readonly text: string;
}

/** What a result has where nothing is wrong. */
export const clean = { exitCode: 0, verified: true, counts: {}, findings: [] };

/** Returns events as lines. */
export function lines(events: readonly unknown[]): string {
  return events.map((event) => `${JSON.stringify(event)}\n`).join('');
}

/** Returns what an event of the service looks like, with values that others easily change. */
export function payload(at: number, other: object = {}): object {
  return {
    event_id: `evt_${at}`,
    event_type: 'order_updated.v0',
    event_timestamp: `2026-11-21T10:00:0${at % 10}.120Z`,
    principal: at % 3 === 0 ? null : { id: 'usr_1', subject: 'Ana "A" Öztürk 😀' },
    version: at,
    object: { total: 12.5 * at, items: [], notes: '', parent: null, nested: { b: [1, { z: 1e21, a: 'ü' }], a: true } },
    ...other,
  };
}

/** Makes a log with events, of which every fifth is backfilled. */
export function logOf(size: number, options?: ConstructorParameters<typeof TestLog>[1], first?: number) {
  const log = new TestLog('waybill.example.com', options, first);
  const events = Array.from({ length: size }, (_, at) => log.append(payload(at), at % 5 === 4));
  return { log, events };
}

/** Returns the text of an erasure record of a log. */
export function recordText(log: TestLog, ranges: readonly LeafRange[], erasureId = 'ers_1'): string {
  return erasureText({ origin: log.origin, erasureId, at: '2026-11-21T12:00:00.000Z', ranges });
}

/** Makes a log with six events, then a checkpoint of them that is an event, then three more. */
export function streamedLog(checkpointIn = (log: TestLog): string => log.checkpoint()) {
  const { log, events } = logOf(6, undefined, 3);
  events.push(log.append(payload(6, { event_type: CHECKPOINT_EVENT, object: { checkpoint: checkpointIn(log) } })));
  events.push(...[7, 8, 9].map((at) => log.append(payload(at))));
  return { log, events };
}

/** Makes a checkpoint of a log that states another size or root. */
export function falseCheckpoint(log: TestLog, of: Partial<Checkpoint>): string {
  const [text = ''] = log.checkpoint().split('\n\n');
  return log.sign(checkpointText({ ...parseCheckpoint(`${text}\n`), ...of }));
}

/** Makes a log with events of which two ranges are erased, and the record that its last event announces. */
export function erasedLog() {
  const { log, events } = logOf(20);
  const record = log.sign(
    recordText(log, [
      [3, 5],
      [9, 10],
    ]),
  );
  const announcing = log.append(payload(20, { event_type: ERASURE_EVENT, object: { record } }));
  const left = [...events.filter((_, at) => ![3, 4, 9].includes(at)), announcing];
  return { log, record, announcing, left, events: [...events, announcing] };
}

/** Returns an event with other members. */
export function changed(event: Event | undefined, members: object): Event {
  return { ...event, ...members };
}

/** Gives an event the sequence of another one. */
export function resequenced(event: Event | undefined, { sequence, integrity: to }: Event): Event {
  const { integrity: own } = { ...event };
  return changed(event, { sequence, integrity: { ...Object(own), index: Object(to).index } });
}

/** Returns the line that an export of Waybill has while an event has no number yet. */
export function unnumberedLine(event: Event | undefined): Event {
  const { sequence: _, epoch: _epoch, integrity: _integrity, ...rest } = { ...event };
  return { ...rest, delivery: { destination_id: 'ed_1', projected: false } };
}

/** Returns verdicts and sequences of the findings. */
export function found({ findings }: Result) {
  return findings.map(({ verdict, sequence, last_sequence: last = sequence }) => [verdict, sequence, last]);
}

/** Parses arguments that do not ask for the help. */
export function parsed(args: readonly string[]) {
  const options = verifyOptions(args);
  if (options === null) throw new Error('The options ask for the help.');
  return options;
}

/** Runs the command on temporary files, for tests. */
export class TestRuns {
  private root: Promise<string> | null = null;
  private count = 0;

  /** Removes the files. */
  async remove(): Promise<void> {
    if (this.root !== null) await rm(await this.root, { recursive: true });
  }

  /** Writes a file into a folder of its own, and returns its path. */
  async file(content: string | Uint8Array, name = 'export.ndjson'): Promise<string> {
    this.root ??= mkdtemp(path.join(tmpdir(), 'waybill-verify-'));
    this.count += 1;
    const own = String(this.count);
    const at = path.join(await this.root, own, name);
    await mkdir(path.dirname(at), { recursive: true });
    await writeFile(at, content);
    return at;
  }

  /** Writes a checkpoint with the tiles of a log beside it, and returns its path. */
  async checkpoint(note: string, { tiles }: TestLog): Promise<string> {
    const place = await this.file(note, 'checkpoint');
    for (const [name, hashes] of tiles) {
      const at = path.join(path.dirname(place), name);
      await mkdir(path.dirname(at), { recursive: true });
      await writeFile(at, hashes);
    }
    return place;
  }

  /** Verifies a text with checkpoints. @param options tiles: whether they are beside the last checkpoint */
  async verify(
    text: string | Uint8Array,
    log: TestLog,
    {
      notes = [log.checkpoint()],
      tiles = true,
      key = log.vkey,
      erasures = '',
      cosigners = [] as readonly string[],
    } = {},
  ): Promise<Result> {
    const places: string[] = [];
    for (const note of notes)
      places.push(tiles ? await this.checkpoint(note, log) : await this.file(note, 'checkpoint'));
    const records = erasures === '' ? [] : ['--erasures', await this.file(erasures, 'erasures')];
    const given = places.flatMap((place) => ['--checkpoint', place]);
    return this.result([await this.file(text), ...given, ...records, '--key', key, ...cosigners]);
  }

  /** Runs the command with --json, and makes the text of its report. */
  async result(args: readonly string[]): Promise<Result> {
    const { output, exitCode } = await run({ ...parsed(args), json: true }, '');
    const report = JSON.parse(output);
    return { ...report, exitCode, text: `${textReport(report)}\n` };
  }
}
