/** Runs a program. An error ends it with exit code 1, and with its message on standard error. */
export async function runProgram(work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
