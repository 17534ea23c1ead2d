import { readFileSync, writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded into a service with `--import`. Measures the longest turn of the event loop, in CPU time of the main thread,
 * and the most memory. Each SIGUSR2 writes both to the log and begins a new measurement.
 */
const EVERY_MS = 10;

let before = cpuMs();
let longest = 0;
let memory = 0;

/** CPU time of the main thread, in milliseconds. Its id is that of the process. */
function cpuMs(): number {
  return Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
}

function look(): void {
  const now = cpuMs();
  longest = Math.max(longest, now - before);
  before = now;
  memory = Math.max(memory, process.memoryUsage.rss() / 1e6);
}

if (isMainThread) {
  setInterval(look, EVERY_MS).unref();
  process.on('SIGUSR2', () => {
    look();
    writeSync(1, `${JSON.stringify({ msg: 'turns', longest_ms: longest, memory_mb: memory })}\n`);
    longest = 0;
    memory = 0;
  });
}
