import { readKeys } from '@waybill/verify';
import { compareContent } from './comparison/content.js';
import { erasuresOf, withErased } from './comparison/erasures.js';
import { comparedBy, evidenceLines, type Evidence, type TestedFile } from './comparison/evidence.js';
import { ExportedEvents } from './comparison/exported-events.js';
import { LogProof } from './comparison/log-proof.js';
import { linesAt, readAgain } from './comparison/read-again.js';
import { passes, reconcile, type Reconciliation } from './comparison/reconcile.js';
import { report } from './comparison/report.js';
import { newestChange, readableAgain, readInto } from './export-files.js';
import type { ReconcileOptions } from './options.js';
import { showProgress } from './progress.js';
import { WaybillApi } from './waybill-api.js';

/** What a reconciliation prints, and its exit code. */
export interface Outcome {
  readonly output: string;
  readonly exitCode: 0 | 1;
}

/**
 * Runs one reconciliation.
 * @param terminal where the progress is shown
 * @throws Error for an unreadable file, or when the API refuses
 */
export async function run(options: ReconcileOptions, terminal: NodeJS.WriteStream): Promise<Outcome> {
  const { found, evidence } = await comparison(options, terminal);
  const output = options.json
    ? JSON.stringify({ ...evidence, ...found })
    : [...evidenceLines(evidence), report(found)].join('\n');
  return { output: `${output}\n`, exitCode: passes(found, options.strict === true) ? 0 : 1 };
}

async function comparison(
  { files, url, key, vkeys, destination, from, content, wait, ...rest }: ReconcileOptions,
  terminal: NodeJS.WriteStream,
): Promise<{ readonly found: Reconciliation; readonly evidence: Evidence }> {
  // Taken before the files are read: an event that is acknowledged during the read may be missing in them.
  const exportedAt = rest.exportedAt ?? (await newestChange(files));
  const api = new WaybillApi({ url, key, destination });
  const { epochs } = await api.status();
  const proof = vkeys === undefined ? null : await LogProof.of(api.logs, epochs, await readKeys(vkeys));
  const exported = new ExportedEvents((event, place) => proof?.add(event, place));
  const tested: TestedFile[] = [];
  for (const file of files) tested.push(await readInto(exported, file));
  const again = readableAgain(files);
  const { id, description, target } = await api.destination();
  const caller = await api.caller();
  const numbers = await reconcile(exported, api, { from, exportedAt });
  const compared = content
    ? await compareContent(numbers, exported, api.exports, {
        linesAt: (places) => linesAt(again, places),
        onProgress: showProgress(terminal),
        longestWaitMinutes: wait,
      })
    : numbers;
  const found =
    proof === null
      ? withErased(compared, await erasuresOf(compared, api.logs, epochs))
      : await proof.finish(compared, (onEvent) => readAgain(again, onEvent));
  const evidence = {
    instance_url: url,
    account_id: caller.account_id,
    destination: { id, description, target },
    compared_by: comparedBy(caller),
    compared_at: new Date().toISOString(),
    exported_at: exportedAt.toISOString(),
    files: tested,
  };
  return { found, evidence };
}
