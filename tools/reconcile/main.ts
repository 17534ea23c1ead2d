import { fromCommandLine } from '../command-line.js';
import { newestChange, readInto } from './export-files.js';
import { FarEnd } from './far-end.js';
import { Ledger } from './ledger.js';
import { reconcileCommandLine } from './options.js';
import { isGood, reconcile } from './reconcile.js';
import { report } from './report.js';

/** It could not be told: a file that holds something else, an API that refuses. */
const COULD_NOT_TELL = 2;

const options = fromCommandLine(reconcileCommandLine(process.env));

try {
  // Before the lines are read: what is acknowledged while they are may well be missing among them.
  const exportedAt = options.exportedAt ?? (await newestChange(options.files));
  const farEnd = new FarEnd();
  for (const file of options.files) await readInto(farEnd, file);
  const ledger = new Ledger(options.url, options.key, options.destination);
  const found = await reconcile(farEnd, ledger, { from: options.from, exportedAt });
  process.stdout.write(options.json ? `${JSON.stringify(found)}\n` : `${report(found)}\n`);
  process.exitCode = isGood(found, options.strict) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = COULD_NOT_TELL;
}
