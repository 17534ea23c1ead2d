import { newestChange, readInto } from './export-files.js';
import { FarEnd } from './far-end.js';
import { Ledger } from './ledger.js';
import { CANNOT_TELL, reconcileCommand, reconcileOptions } from './options.js';
import { isGood, reconcile } from './reconcile.js';
import { report } from './report.js';

const command = reconcileCommand().exitOverride(({ exitCode }) =>
  process.exit(exitCode === 0 ? 0 : CANNOT_TELL),
);
const options = reconcileOptions(command.parse());

try {
  // Taken before the files are read: an event that is acknowledged during the read may be missing in them.
  const exportedAt = options.exportedAt ?? (await newestChange(options.files));
  const farEnd = new FarEnd();
  for (const file of options.files) await readInto(farEnd, file);
  const ledger = new Ledger(options.url, options.key, options.destination);
  const found = await reconcile(farEnd, ledger, { from: options.from, exportedAt });
  process.stdout.write(options.json ? `${JSON.stringify(found)}\n` : `${report(found)}\n`);
  process.exitCode = isGood(found, options.strict === true) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = CANNOT_TELL;
}
