import { PrintingProgram } from '../../harness/printing-program.js';
import { bareHeaders, type Installation } from '../environment/installation.js';
import type { Load, LoadWork } from '../load/load.js';

const file = new URL('../processes/bare-route.js', import.meta.url);

/** A process that serves the bare route. */
export interface BareRoute {
  readonly load: Load;
  readonly pid: number | null;
}

/**
 * Starts the bare route on the installation's database, until the installation closes. Its deliveries go to a
 * destination that does not exist.
 */
export async function startBareRoute(installation: Installation, work?: LoadWork): Promise<BareRoute> {
  const { rows } = await installation.pool.query<{ id: string }>('select id from accounts');
  const { connectionString, poolSize } = installation;
  const args = [connectionString, String(poolSize), rows[0]?.id ?? '', 'ed_01bench00000000000000000000'];
  const program = await PrintingProgram.start(file, args);
  installation.opened.push({ close: () => program.stop() });
  return { load: await installation.openLoad(work, program.line, bareHeaders), pid: program.pid };
}
