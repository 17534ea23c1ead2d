import { parseArgs } from 'node:util';

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
}

const usage = `Usage: npm run reconcile -- --destination ed_… [options] <file.ndjson | ->…

Holds an export of a destination's far end (one delivered event a line, oldest first) against what Waybill says of it.

  --url <url>            the API; http://localhost:4700 unless told, or WAYBILL_URL
  --from <number>        first sequence that the export should hold; 1 unless told
  --exported-at <time>   when the export was made (RFC 3339); unless told, when the newest file was written
  --json                 one JSON document on standard output

The API key is taken from WAYBILL_API_KEY. Ends with 0 when every number is accounted for, 1 when not, 2 when it could not tell.`;

/**
 * Reads the command line.
 * @throws Error that says what is wrong, and how it is used
 */
export function readOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ReconcileOptions {
  try {
    return checked(args, environment);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new Error(`${message}\n\n${usage}`, { cause: error });
  }
}

function checked(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): ReconcileOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      destination: { type: 'string' },
      url: { type: 'string' },
      from: { type: 'string', default: '1' },
      'exported-at': { type: 'string' },
      json: { type: 'boolean', default: false },
    },
  });
  if (!values.destination) throw new Error('--destination is missing: the id of the event destination');
  if (positionals.length === 0)
    throw new Error('the export is missing: a file of NDJSON, or - for standard input');
  const key = environment.WAYBILL_API_KEY;
  if (!key) throw new Error('WAYBILL_API_KEY is not set: the API key to read the destination with');
  const from = Number(values.from);
  if (!Number.isSafeInteger(from) || from < 1)
    throw new Error(`--from takes a whole number from 1, not ${values.from}`);
  const time = values['exported-at'];
  const exportedAt = time === undefined ? null : new Date(time);
  if (exportedAt !== null && Number.isNaN(exportedAt.getTime()))
    throw new Error(`--exported-at takes a time such as 2026-11-21T10:00:00Z, not ${time}`);
  const url = values.url ?? environment.WAYBILL_URL ?? 'http://localhost:4700';
  if (!URL.canParse(url)) throw new Error(`--url takes an address such as http://localhost:4700, not ${url}`);
  return {
    destination: values.destination,
    files: positionals,
    url: url.replace(/\/+$/, ''),
    key,
    from,
    exportedAt,
    json: values.json,
  };
}
