#!/usr/bin/env node
import { USAGE, verifyOptions } from './command/options.js';
import { run } from './command/run.js';

/** Exit code where the tool cannot decide: invalid options, an unreadable file, an address that refuses. */
const CANNOT_TELL = 2;

try {
  const options = verifyOptions(process.argv.slice(2));
  if (options === null) process.stdout.write(USAGE);
  else {
    const { output, exitCode } = await run(options, process.env.WAYBILL_API_KEY ?? '');
    process.stdout.write(output);
    process.exitCode = exitCode;
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = CANNOT_TELL;
}
