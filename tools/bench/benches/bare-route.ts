import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Installation } from '../environment/installation.js';

const program = fileURLToPath(new URL('../processes/bare-route.js', import.meta.url));

/** A process that serves the bare route. */
export interface BareRoute {
  readonly baseUrl: string;
  readonly pid: number | null;
  close(): Promise<void>;
}

/** Starts the bare route on the installation's database. Its deliveries go to a destination that does not exist. */
export async function startBareRoute(installation: Installation): Promise<BareRoute> {
  const { rows } = await installation.pool.query<{ id: string }>('select id from accounts');
  const args = [program, installation.connectionString, rows[0]?.id ?? '', 'ed_01bench00000000000000000000'];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  const [line]: unknown[] = await Promise.race([once(createInterface(child.stdout), 'line'), ended]);
  if (typeof line !== 'string') throw new Error(`The process of the bare route exited with ${String(line)}.`);
  return {
    baseUrl: line,
    pid: child.pid ?? null,
    close: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
