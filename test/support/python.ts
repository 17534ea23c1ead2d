import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const PYTHON = 'python3';

/**
 * Returns whether a command is there that other languages need, such as a generator of clients. Writes that the tests
 * with it are skipped where it is not.
 */
export async function canRun(what: string, command: string, args: readonly string[]): Promise<boolean> {
  try {
    await run(command, args);
    return true;
  } catch {
    console.warn(`${what} is not installed: the tests with it are skipped.`);
    return false;
  }
}

/** Returns whether the Python on the path has these modules. As `canRun`. */
export function hasPython(...modules: readonly string[]): Promise<boolean> {
  return canRun(`Python with ${modules.join(', ')}`, PYTHON, ['-c', `import ${modules.join(', ')}`]);
}

/** Runs a Python script with this input. Returns its output. @throws Error with what it wrote to stderr */
export async function runPython(
  args: readonly string[],
  input: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const script = run(PYTHON, args, { env: { ...process.env, ...environment }, maxBuffer: 2 ** 26 });
  script.child.stdin?.end(input);
  return (await script).stdout;
}
