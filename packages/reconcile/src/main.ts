import { CANNOT_TELL, reconcileCommand, reconcileOptions } from './options.js';
import { run } from './run.js';

const command = reconcileCommand().exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : CANNOT_TELL));
const options = reconcileOptions(command.parse());

try {
  const { output, exitCode } = await run(options, process.stderr);
  process.stdout.write(output);
  process.exitCode = exitCode;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = CANNOT_TELL;
}
