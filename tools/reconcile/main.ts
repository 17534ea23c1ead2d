import { exitAfterParsing } from '../usage-error.js';
import { ExportedEvents } from './comparison/exported-events.js';
import { passes, reconcile } from './comparison/reconcile.js';
import { report } from './comparison/report.js';
import { DestinationApi } from './destination-api.js';
import { newestChange, readInto } from './export-files.js';
import { CANNOT_TELL, reconcileCommand, reconcileOptions } from './options.js';

const command = reconcileCommand().exitOverride(exitAfterParsing);
const options = reconcileOptions(command.parse());

try {
  // Taken before the files are read: an event that is acknowledged during the read may be missing in them.
  const exportedAt = options.exportedAt ?? (await newestChange(options.files));
  const exported = new ExportedEvents();
  for (const file of options.files) await readInto(exported, file);
  const destinationApi = new DestinationApi(options.url, options.key, options.destination);
  const found = await reconcile(exported, destinationApi, { from: options.from, exportedAt });
  process.stdout.write(options.json ? `${JSON.stringify(found)}\n` : `${report(found)}\n`);
  process.exitCode = passes(found, options.strict === true) ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = CANNOT_TELL;
}
