import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { CpuWatch, type CpuUse } from '../cpu/cpu-watch.js';
import type { Stage } from '../environment/stage.js';

const program = fileURLToPath(new URL('../processes/noop-jobs.js', import.meta.url));

/** What BullMQ does by itself. */
export interface NoopJobs {
  readonly perSecond: number;
  readonly cpu: CpuUse;
}

/** Runs jobs that do nothing on the stage's backend, in a process of their own. */
export async function measureNoopJobs(stage: Stage, jobs: number): Promise<NoopJobs> {
  const { ground, options, prefix, connectionString } = stage;
  const url = options.backend === 'redis' ? ground.redis?.url : connectionString;
  if (url === undefined) throw new Error('There is no Redis.');
  const child = spawn(process.execPath, [program, options.backend, url, prefix, String(jobs)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit').then(([code]: unknown[]) => {
    throw new Error(`The process with BullMQ's own jobs ended with ${String(code)}.`);
  });
  // It ends after its last line, when nobody waits for it any more.
  ended.catch(() => {});
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  await Promise.race([lines.next(), ended]);
  const { postgres, redis } = stage.processes();
  const watch = await CpuWatch.start({
    bullmq: child.pid ?? null,
    postgres: postgres ?? null,
    ...(redis !== undefined && { redis }),
  });
  child.stdin.write('go\n');
  const said = await Promise.race([lines.next(), ended]);
  const cpu = await watch.stop();
  const { seconds } = JSON.parse(String(said.value)) as { seconds: number };
  return { perSecond: jobs / seconds, cpu };
}
