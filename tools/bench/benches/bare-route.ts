import { PrintingProgram } from '../../harness/printing-program.js';
import type { Installation } from '../environment/installation.js';

const file = new URL('../processes/bare-route.js', import.meta.url);

/** A process that serves the bare route. */
export interface BareRoute {
  readonly baseUrl: string;
  readonly pid: number | null;
  close(): Promise<void>;
}

/** Starts the bare route on the installation's database. Its deliveries go to a destination that does not exist. */
export async function startBareRoute(installation: Installation): Promise<BareRoute> {
  const { rows } = await installation.pool.query<{ id: string }>('select id from accounts');
  const { connectionString, poolSize } = installation;
  const args = [connectionString, String(poolSize), rows[0]?.id ?? '', 'ed_01bench00000000000000000000'];
  const program = await PrintingProgram.start(file, args);
  return { baseUrl: program.line, pid: program.pid, close: () => program.stop() };
}
