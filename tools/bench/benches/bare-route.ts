import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Stage } from '../environment/stage.js';

const program = fileURLToPath(new URL('../processes/bare-route.js', import.meta.url));

/** The bare route in a process of its own. */
export interface BareRoute {
  readonly baseUrl: string;
  readonly pid: number | null;
  close(): Promise<void>;
}

/** Starts the bare route on the stage's own database; its deliveries are to a destination that does not exist. */
export async function startBareRoute(stage: Stage): Promise<BareRoute> {
  const { rows } = await stage.pool.query<{ id: string }>('select id from accounts');
  const args = [program, stage.connectionString, rows[0]?.id ?? '', 'ed_01bench00000000000000000000'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line]: unknown[] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  if (typeof line !== 'string') throw new Error(`The bare route ended with ${String(line)}.`);
  return {
    baseUrl: line,
    pid: child.pid ?? null,
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
