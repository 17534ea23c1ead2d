import { ExportedEvents } from '../../../../tools/reconcile/comparison/exported-events.js';
import { reconcile } from '../../../../tools/reconcile/comparison/reconcile.js';
import { ProblemError } from '../../api/problem.js';
import { DestinationReader } from './destination-reader.js';
import type { ComparisonInput, ComparisonMessage } from './messages.js';
import { readLines } from './read-lines.js';

/** Least time between two reports of the progress, in milliseconds. */
const REPORT_MS = 100;

/** First bytes of a file that gzip has compressed. */
const GZIP = [0x1f, 0x8b];

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
async function compare({ destination, files, from, exportedAt }: ComparisonInput): Promise<void> {
  const total = files.reduce((sum, { size }) => sum + size, 0);
  const exported = new ExportedEvents();
  let read = 0;
  const onProgress = seldom((done: number) => tell({ kind: 'reading', done, total }));
  for (const file of files) {
    await readInto(exported, file, (bytes) => {
      read += bytes;
      onProgress(read);
    });
  }
  if (exported.events === 0) {
    const names = files.map(({ name }) => name).join(', ');
    throw new Error(`No event is in ${names}. An export holds one event a line.`);
  }
  const onRead = seldom((deliveries: number) => tell({ kind: 'comparing', deliveries }));
  tell({ kind: 'comparing', deliveries: 0 });
  const records = new DestinationReader(destination, onRead);
  const found = await reconcile(exported, records, { from, exportedAt: new Date(exportedAt) });
  tell({ kind: 'done', found });
}

async function readInto(exported: ExportedEvents, file: File, onBytes: (bytes: number) => void): Promise<void> {
  let number = 0;
  try {
    await readLines(await textOf(file, onBytes), (line) => {
      number += 1;
      exported.add(line);
    });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${file.name}, line ${number} ${reason}. An export holds one event a line.`, { cause: error });
  }
}

/** Returns the text of a file, also of one that gzip has compressed. */
async function textOf(file: File, onBytes: (bytes: number) => void): Promise<ReadableStream<string>> {
  const start = new Uint8Array(await file.slice(0, GZIP.length).arrayBuffer());
  const counted = file.stream().pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        onBytes(chunk.byteLength);
        controller.enqueue(chunk);
      },
    }),
  );
  const isCompressed = GZIP.every((byte, at) => start[at] === byte);
  const bytes = isCompressed ? counted.pipeThrough(new DecompressionStream('gzip')) : counted;
  return bytes.pipeThrough(new TextDecoderStream());
}

/** Returns a function that calls another one at most ten times a second. */
function seldom(report: (value: number) => void): (value: number) => void {
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
