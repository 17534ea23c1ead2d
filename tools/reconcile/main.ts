import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fromCommandLine } from '../command-line.js';
import { FarEnd } from './far-end.js';
import { Ledger } from './ledger.js';
import { readOptions } from './options.js';
import { reconcile } from './reconcile.js';
import { report } from './report.js';

/** It could not be told: a file that holds something else, an API that refuses. */
const couldNotTell = 2;

const options = fromCommandLine(() => readOptions(process.argv.slice(2), process.env));

try {
  // Before the lines are read: what is acknowledged while they are may well be missing among them.
  const exportedAt = options.exportedAt ?? (await newestChange(options.files));
  const farEnd = new FarEnd();
  for (const file of options.files) await readInto(farEnd, file);
  const ledger = new Ledger(options.url, options.key, options.destination);
  const found = await reconcile(farEnd, ledger, { from: options.from, exportedAt });
  process.stdout.write(options.json ? `${JSON.stringify(found)}\n` : `${report(found)}\n`);
  process.exitCode = found.accounted_for ? 0 : 1;
} catch (error) {
  // `fetch failed` has its reason in its cause.
  const cause = error instanceof TypeError && error.cause instanceof Error ? `: ${error.cause.message}` : '';
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}${cause}\n`);
  process.exitCode = couldNotTell;
}

/** When the newest of the files was written; now, for standard input. */
async function newestChange(files: readonly string[]): Promise<Date> {
  if (files.includes('-')) return new Date();
  const changes = await Promise.all(files.map(async (file) => (await stat(file)).mtimeMs));
  return new Date(Math.max(...changes));
}

async function readInto(farEnd: FarEnd, file: string): Promise<void> {
  const input = file === '-' ? process.stdin : createReadStream(file);
  let number = 0;
  for await (const line of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    number += 1;
    try {
      farEnd.add(line);
    } catch (error) {
      throw new Error(`${file}, line ${number} ${error instanceof Error ? error.message : String(error)}`, {
        cause: error,
      });
    }
  }
}
