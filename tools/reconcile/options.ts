import { commandLine, type CommandLine } from '../command-line.js';

/** What a reconciliation is asked to do. */
export interface ReconcileOptions {
  readonly destination: string;
  /** Files of NDJSON, oldest first; `-` is standard input. */
  readonly files: readonly string[];
  readonly url: string;
  readonly key: string;
  readonly from: number;
  /** Null: when the newest of the files was written. */
  readonly exportedAt: Date | null;
  readonly json: boolean;
  /** Whether an event that was rejected or expired counts against it, though it is accounted for. */
  readonly strict: boolean;
}

/**
 * The command line of a reconciliation.
 * @param environment where the API key is, and what is set there once for all runs
 */
export function reconcileCommandLine(
  environment: Readonly<Record<string, string | undefined>>,
): CommandLine<ReconcileOptions> {
  return commandLine(
    {
      call: 'npm run reconcile -- --destination ed_… [options] <file.ndjson | ->…',
      about:
        "Holds an export of a destination's far end (one delivered event a line, oldest first) against what Waybill says of it.",
      options: {
        destination: { type: 'string', value: '<id>', help: 'the event destination' },
        url: {
          type: 'string',
          value: '<url>',
          default: environment.WAYBILL_URL || 'http://localhost:4700',
          help: 'the API, also WAYBILL_URL',
        },
        from: {
          type: 'string',
          value: '<number>',
          default: '1',
          help: 'first sequence that the export should hold',
        },
        'exported-at': {
          type: 'string',
          value: '<time>',
          help: 'when the export was made (RFC 3339); unless told, when the newest file was written',
        },
        json: { type: 'boolean', default: false, help: 'one JSON document on standard output' },
        strict: {
          type: 'boolean',
          default: false,
          help: 'end with 1 also where an event was rejected or expired and is not in the export',
        },
      },
      takesFiles: true,
      more:
        'The API key is taken from WAYBILL_API_KEY. A file named - is standard input.\n' +
        'Ends with 0 when every number is accounted for, 1 when not, 2 when it could not tell. docs/reconciliation.md tells more.',
    },
    ({ values, positionals }) => {
      if (!values.destination)
        throw new Error(
          '--destination is missing: the id of the event destination, as GET /event_destinations lists it.',
        );
      if (positionals.length === 0)
        throw new Error('The export is missing: a file of NDJSON, or - for standard input.');
      return {
        destination: values.destination,
        files: positionals,
        url: apiUrl(values.url),
        key: apiKey(environment.WAYBILL_API_KEY),
        from: firstNumber(values.from),
        exportedAt: values['exported-at'] === undefined ? null : exportTime(values['exported-at']),
        json: values.json,
        strict: values.strict,
      };
    },
  );
}

function apiKey(key = ''): string {
  if (key === '') throw new Error('WAYBILL_API_KEY is not set: the API key to read the destination with.');
  // A key that cannot be sent would be shown by the error of the HTTP client.
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new Error('WAYBILL_API_KEY is no API key: there is a space, a line break or the like in it.');
}

function apiUrl(url: string): string {
  const address = /^https?:\/\//i.test(url) && URL.canParse(url) ? new URL(url) : null;
  if (address === null) throw new Error('--url takes an address such as http://localhost:4700.');
  // What may be a password is not shown.
  if (address.username !== '' || address.password !== '')
    throw new Error('--url takes no user and password: the API is read with WAYBILL_API_KEY.');
  if (address.search !== '' || address.hash !== '')
    throw new Error('--url takes an address without "?" and "#", such as http://localhost:4700.');
  return url.replace(/\/+$/, '');
}

function firstNumber(from: string): number {
  const number = Number(from);
  if (Number.isSafeInteger(number) && number >= 1) return number;
  throw new Error(`--from takes a whole number from 1, not "${from}".`);
}

function exportTime(time: string): Date {
  const exportedAt = new Date(time);
  const shaped = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/.test(time);
  if (shaped && !Number.isNaN(exportedAt.getTime())) return exportedAt;
  throw new Error(`--exported-at takes a time such as 2026-11-21T10:00:00Z, not "${time}".`);
}
