import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex } from '@noble/hashes/utils.js';
import {
  compareContent,
  erasuresOf,
  ExportedEvents,
  type ExportProgress,
  type FileToRead,
  linesAt,
  LogProof,
  readAgain,
  reconcile,
  type TestedFile,
  withErased,
} from '@waybill/reconcile';
import { ProblemError } from '../../api/problem.js';
import { destinationApi } from './destination-api.js';
import type { ComparisonInput, ComparisonMessage } from './messages.js';
import { readLines, textOf } from './read-lines.js';

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
  const { records, exports, logs } = destinationApi(destination, onRead);
  const { epochs } = await records.status();
  const proof = vkeys.length === 0 ? null : await LogProof.of(logs, epochs, vkeys);
  const exported = new ExportedEvents((event, place) => proof?.add(event, place));
  let read = 0;
  const onProgress = seldom((done: number) => tell({ kind: 'reading', done, total }));
  const tested: TestedFile[] = [];
  for (const file of files) {
    const hash = sha256.create();
    const onBytes = (bytes: Uint8Array): void => {
      hash.update(bytes);
      read += bytes.byteLength;
      onProgress(read);
    };
    const { name } = file;
    await readLines(name, await textOf(file, onBytes), (text, line) => exported.add(text, { file: name, line }));
    tested.push({ name, bytes: file.size, sha256: bytesToHex(hash.digest()) });
  }
  if (exported.counts.events === 0) {
    const names = files.map(({ name }) => name).join(', ');
    throw new Error(`No event is in ${names}. An export holds one event a line.`);
  }
  tell({ kind: 'comparing', deliveries: 0 });
  const numbers = await reconcile(exported, records, { from, exportedAt: new Date(exportedAt) });
  const onExport = seldom((progress: ExportProgress) => tell({ kind: 'exporting', ...progress }));
  const again = files.map((file): FileToRead => ({
    name: file.name,
    read: async (onLine) => readLines(file.name, await textOf(file), onLine),
  }));
  const compared = content
    ? await compareContent(numbers, exported, exports, {
        onProgress: onExport,
        linesAt: (places) => linesAt(again, places),
      })
    : numbers;
  const found =
    proof === null
      ? withErased(compared, await erasuresOf(compared, logs, epochs))
      : await proof.finish(compared, (onEvent) => readAgain(again, onEvent));
  tell({ kind: 'done', found, files: tested });
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
