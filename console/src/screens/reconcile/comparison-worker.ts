import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import {
  compareContent,
  erasuresOf,
  eventsOfLine,
  type ExportedEvent,
  ExportedEvents,
  type ExportProgress,
  LogProof,
  type Place,
  reconcile,
  type TestedFile,
  withErased,
} from '@waybill/reconcile';
import { ProblemError } from '../../api/problem.js';
import { DestinationReader } from './destination-reader.js';
import { ExportReader } from './export-reader.js';
import { linesAt, textOf } from './file-lines.js';
import { LogReader } from './log-reader.js';
import type { ComparisonInput, ComparisonMessage } from './messages.js';
import { readLines } from './read-lines.js';

/** Least time between two reports of the progress, in milliseconds. */
const REPORT_MS = 100;

self.addEventListener('message', (event: MessageEvent<ComparisonInput>) => {
  compare(event.data).catch((error: unknown) => {
    tell({
      kind: 'failed',
      message: error instanceof Error ? error.message : String(error),
      problem: error instanceof ProblemError ? error.problem : null,
    });
  });
});

/** Reads the files, then compares them with what Waybill reports. The files stay in this browser. */
async function compare(input: ComparisonInput): Promise<void> {
  const { destination, files, from, exportedAt, content, vkeys } = input;
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const onRead = seldom((deliveries: number) => tell({ kind: 'comparing', deliveries }));
  const records = new DestinationReader(destination, onRead);
  const { epochs } = await records.status();
  const logs = new LogReader(destination);
  const proof = vkeys.length === 0 ? null : await LogProof.of(logs, epochs, vkeys);
  const exported = new ExportedEvents((event, place) => proof?.add(event, place));
  let read = 0;
  const onProgress = seldom((done: number) => tell({ kind: 'reading', done, total }));
  const tested: TestedFile[] = [];
  for (const file of files) {
    const hash = sha256.create();
    await readInto(exported, file, (bytes) => {
      hash.update(bytes);
      read += bytes.byteLength;
      onProgress(read);
    });
    tested.push({ name: file.name, bytes: file.size, sha256: bytesToHex(hash.digest()) });
  }
  if (exported.counts.events === 0) {
    const names = files.map(({ name }) => name).join(', ');
    throw new Error(`No event is in ${names}. An export holds one event a line.`);
  }
  tell({ kind: 'comparing', deliveries: 0 });
  const numbers = await reconcile(exported, records, { from, exportedAt: new Date(exportedAt) });
  const onExport = seldom((progress: ExportProgress) => tell({ kind: 'exporting', ...progress }));
  const compared = content
    ? await compareContent(numbers, exported, new ExportReader(destination), {
        onProgress: onExport,
        linesAt: (places) => linesAt(files, places),
      })
    : numbers;
  const found =
    proof === null
      ? withErased(compared, await erasuresOf(compared, logs, epochs))
      : await proof.finish(compared, (onEvent) => readAgain(files, onEvent));
  tell({ kind: 'done', found, files: tested });
}

/** Reads the events of the files again, to name the lines that the signed logs do not have. */
async function readAgain(files: readonly File[], onEvent: (event: ExportedEvent, place: Place) => void): Promise<void> {
  for (const file of files) {
    let line = 0;
    await readLines(await textOf(file), (text) => {
      line += 1;
      for (const event of eventsOfLine(text)) onEvent(event, { file: file.name, line });
    });
  }
}

async function readInto(exported: ExportedEvents, file: File, onBytes: (bytes: Uint8Array) => void): Promise<void> {
  let number = 0;
  try {
    await readLines(await textOf(file, onBytes), (line) => {
      number += 1;
      exported.add(line, { file: file.name, line: number });
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${file.name}, line ${number} ${reason}. An export holds one event a line.`, { cause: error });
  }
}

/** Returns a function that calls another one at most ten times a second. */
function seldom<Value>(report: (value: Value) => void): (value: Value) => void {
  let next = 0;
  return (value) => {
    const now = performance.now();
    if (now < next) return;
    next = now + REPORT_MS;
    report(value);
  };
}

function tell(message: ComparisonMessage): void {
  self.postMessage(message);
}
