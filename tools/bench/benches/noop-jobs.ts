import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { CpuWatch, type CpuUse } from '../cpu/cpu-watch.js';
import type { Installation } from '../environment/installation.js';

const program = fileURLToPath(new URL('../processes/noop-jobs.js', import.meta.url));

/** Speed of BullMQ without Waybill. */
export interface NoopJobs {
  readonly perSecond: number;
  readonly cpu: CpuUse;
}

/** Measures jobs that do nothing, on the installation's backend, in a separate process. */
export async function measureNoopJobs(installation: Installation, jobs: number): Promise<NoopJobs> {
  const { environment, options, prefix, connectionString } = installation;
  const url = options.backend === 'redis' ? environment.redis?.url : connectionString;
  if (url === undefined) throw new Error('The environment has no Redis.');
  const child = spawn(process.execPath, [program, options.backend, url, prefix, String(jobs)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(([code]: unknown[]) => {
    throw new Error(`The process with BullMQ's own jobs exited with ${String(code)}.`);
  });
  // The process exits after its last line, when no race awaits it.
  ended.catch(() => {});
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await Promise.race([lines.next(), ended]);
  const { postgres, redis } = installation.pids();
  const watch = await CpuWatch.start({
    bullmq: child.pid ?? null,
    postgres: postgres ?? null,
    ...(redis !== undefined && { redis }),
  });
  child.stdin.write('go\n');
  const output = await Promise.race([lines.next(), ended]);
  const cpu = await watch.stop();
  const { seconds } = JSON.parse(String(output.value)) as { seconds: number };
  return { perSecond: jobs / seconds, cpu };
}
