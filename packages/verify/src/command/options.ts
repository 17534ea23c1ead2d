import { parseArgs } from 'node:util';

/** Options of one run. */
export interface VerifyOptions {
  readonly files: readonly string[];
  /** Files or addresses. */
  readonly checkpoints: readonly string[];
  /** Files or addresses of erasure records. */
  readonly erasures: readonly string[];
  /** Files of proofs of single events. */
  readonly proofs: readonly string[];
  /** Verifier keys, or files with one a line. */
  readonly keys: readonly string[];
  /** Verifier keys of cosigners, or files with one a line. */
  readonly cosigners: readonly string[];
  /** How many of them must have signed a checkpoint; default: all. */
  readonly cosignersNeeded?: number;
  /** Folder or address of the tiles; default: that of the checkpoint. */
  readonly tiles?: string;
  readonly json: boolean;
  /** File for a report in HTML. */
  readonly html?: string;
}

/** Text of `--help`. */
export const USAGE = `Usage: waybill-verify <file...> --checkpoint <file or address> --key <vkey> [options]

Verifies an export of a destination's target with a signed checkpoint of Waybill's log and a public key.
A file has one event a line, as NDJSON or compressed with gzip; - is standard input.

  --checkpoint <where>  signed checkpoint, a file or an address; once for each log, or more often to compare them
  --proof <where>       instead of a checkpoint: a proof that the log has one event (tlog-proof)
  --erasures <where>    signed erasure records of a log: their events may be absent. A file or an address
  --key <vkey>          verifier key of the installation, or of a log; or a file with one a line
  --cosigner <vkey>     verifier key of a cosigner (tlog-witness), which must have signed the checkpoint too; or a file
  --cosigners-needed <n> how many of several cosigners must have (default: all)
  --tiles <where>       tiles, where all checkpoints are of one log (default: beside the largest checkpoint)
  --json                print the result as one JSON document
  --html <file>         write a report in HTML
  --help                print this text

WAYBILL_API_KEY holds the API key for addresses of Waybill. The role auditor will do.
Exit code: 0 if every event of the checkpoint is in the files as the log has it, 1 if not, 2 if the tool could not tell.
With --proof: 0 if the files hold the event of every proof as the log has it, and no other. The rest is not looked for.
docs/proof.md describes each verdict.
`;

/**
 * Parses the arguments; null where the help is asked for.
 * @throws Error with the reason
 */
export function verifyOptions(args: readonly string[]): VerifyOptions | null {
  const { values, positionals: files } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      checkpoint: { type: 'string', multiple: true, default: [] },
      erasures: { type: 'string', multiple: true, default: [] },
      proof: { type: 'string', multiple: true, default: [] },
      key: { type: 'string', multiple: true, default: [] },
      cosigner: { type: 'string', multiple: true, default: [] },
      'cosigners-needed': { type: 'string' },
      tiles: { type: 'string' },
      json: { type: 'boolean', default: false },
      html: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { checkpoint: checkpoints, erasures, proof: proofs, key: keys, cosigner: cosigners } = values;
  const { tiles, json, html, help } = values;
  if (help) return null;
  if (files.length === 0) throw new Error('Give the files of the export.');
  if (keys.length === 0) throw new Error('--key is missing: the verifier key of the installation.');
  if (checkpoints.length + proofs.length === 0)
    throw new Error('--checkpoint is missing: a signed checkpoint of the log.');
  if (checkpoints.length > 0 && proofs.length > 0) throw new Error('Give --checkpoint or --proof.');
  if (erasures.length > 0 && proofs.length > 0) throw new Error('Give --erasures with --checkpoint.');
  const needed = values['cosigners-needed'];
  if (needed !== undefined && (!/^\d{1,3}$/.test(needed) || cosigners.length === 0))
    throw new Error('--cosigners-needed is a number, and each cosigner is given with --cosigner.');
  return {
    files,
    checkpoints,
    erasures,
    proofs,
    keys,
    cosigners,
    json,
    ...(needed !== undefined && { cosignersNeeded: Number(needed) }),
    ...(tiles !== undefined && { tiles }),
    ...(html !== undefined && { html }),
  };
}
