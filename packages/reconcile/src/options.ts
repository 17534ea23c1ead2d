import { Command, InvalidArgumentError, Option } from '@commander-js/extra-typings';
import { keyError } from '@waybill/verify';
import { LONGEST_WAIT_MINUTES } from './comparison/export-wait.js';

/** Exit code where the tool cannot decide: invalid options, an unreadable file, an API that refuses. */
export const CANNOT_TELL = 2;

const NO_KEY = 'WAYBILL_API_KEY is not set. Set it to an API key that may read the destination.';

/** Options of one reconciliation. */
export interface ReconcileOptions {
  readonly destination: string;
  /** NDJSON files, oldest first; `-` is standard input. */
  readonly files: readonly string[];
  readonly url: string;
  readonly key: string;
  readonly from: number;
  /** Whether the content of the events is compared too, with an export of Waybill. */
  readonly content: boolean;
  /** Verifier keys, or files with one a line, with which the events are verified too; undefined for none. */
  readonly vkeys?: readonly string[];
  /** Longest wait for Waybill's export without progress, in minutes. */
  readonly wait: number;
  /** Undefined: the modification time of the newest file. */
  readonly exportedAt?: Date;
  readonly json?: boolean;
  /** Exit with 1 also for events that were rejected or expired, although Waybill accounts for them. */
  readonly strict?: boolean;
}

/** Defines the command line of the reconciliation. */
export function reconcileCommand() {
  return new Command('waybill reconcile')
    .description("Compares an export of a destination's target with Waybill's record of its deliveries.")
    .argument('<file...>', 'NDJSON files with one delivered event a line, oldest first; - is standard input')
    .requiredOption('--destination <id>', 'id of the event destination', nonEmpty)
    .addOption(
      new Option('--url <url>', 'address of the API')
        .env('WAYBILL_URL')
        .default('http://localhost:4700')
        // An empty variable counts as unset.
        .argParser((text, otherwise: string) => text || otherwise),
    )
    .option('--from <number>', 'first sequence that the export should hold', firstSequence, 1)
    .option(
      '--exported-at <time>',
      'time of the export, RFC 3339 (default: modification time of the newest file)',
      exportTime,
    )
    .option(
      '--no-content',
      'compare sequences and ids only; without it the tool creates an export of the destination, which the API keeps as long as any export, and downloads all of it',
    )
    .option(
      '--key <vkey>',
      'verifier key of the installation, as you have kept it, or a file with one a line: verify the events with the signed log too; once for each key',
      (vkey: string, others: readonly string[] | undefined) => [...(others ?? []), vkey],
    )
    .option(
      '--wait <minutes>',
      "longest wait for Waybill's export without progress; then the contents are not compared",
      minutes,
      LONGEST_WAIT_MINUTES,
    )
    .option('--json', 'print the result as one JSON document on standard output')
    .option('--strict', 'exit with 1 also if an event was rejected or expired, or if a content could not be compared')
    .addHelpText(
      'after',
      '\nWAYBILL_API_KEY holds the API key. The role auditor will do.\n' +
        'Exit code: 0 if every sequence is accounted for and no compared event is altered, 1 if not, 2 if the tool could not tell. ' +
        'Without --strict it is 0 also where contents were not compared. See docs/reconciliation.md.',
    );
}

/** Parses the arguments; an invalid one is printed to standard error and ends the process. */
export function reconcileOptions(
  command: ReturnType<typeof reconcileCommand>,
  key = process.env.WAYBILL_API_KEY ?? '',
): ReconcileOptions {
  const { url, key: vkeys, ...options } = command.opts();
  const error = (key === '' ? NO_KEY : keyError(key)) ?? urlError(url);
  if (error !== null) command.error(`error: ${error}`);
  return { ...options, ...(vkeys && { vkeys }), files: command.processedArgs[0], url: url.replace(/\/+$/, ''), key };
}

/** Never contains the address: it may hold a password. */
function urlError(url: string): string | null {
  const address = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : null;
  if (address === null) return '--url is not an HTTP address such as http://localhost:4700.';
  if (address.username !== '' || address.password !== '')
    return '--url must not hold a user or password. WAYBILL_API_KEY holds the API key.';
  if (address.search !== '' || address.hash !== '') return '--url must not hold a query or fragment.';
  return null;
}

function nonEmpty(text: string): string {
  if (text !== '') return text;
  throw new InvalidArgumentError('GET /event_destinations lists the ids.');
}

function firstSequence(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new InvalidArgumentError('Use a whole number from 1.');
}

function minutes(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new InvalidArgumentError('Use a whole number of minutes from 1.');
}

function exportTime(text: string): Date {
  const time = new Date(text);
  const rfc3339 = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(text);
  if (rfc3339 && !Number.isNaN(time.getTime())) return time;
  throw new InvalidArgumentError('Use a time such as 2026-11-21T10:00:00Z.');
}
