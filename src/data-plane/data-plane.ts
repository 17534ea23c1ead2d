import type { CertificateReports } from '../certificates/certificate-reports.js';
import type { Config } from '../config/config.js';
import { Maintenance } from '../maintenance/maintenance.js';
import { MaintenanceTaskStore } from '../maintenance/task-store.js';
import { addRoutes } from './routes.js';
import { dataPlaneServer } from './server.js';
import { TunnelSessions, type SessionServices } from './tunnel-sessions.js';

/** Interval between removals of expired sessions, in milliseconds. Expired sessions are hidden at once. */
const EXPIRY_INTERVAL_MS = 2_000;

/** Dependencies of the data-plane API. */
export interface DataPlaneParts extends SessionServices {
  readonly config: Pick<
    Config,
    'DATA_PLANE_KEY' | 'DATA_PLANE_HOST' | 'DATA_PLANE_PORT' | 'MAX_BODY_BYTES' | 'SHUTDOWN_DEADLINE_MS'
  >;
  readonly certificates: CertificateReports;
}

/** The running data-plane API. */
export interface DataPlane {
  /** Address that the API listens on. Null without DATA_PLANE_KEY. */
  readonly url: string | null;
  /** Stops accepting requests, and waits for running requests and maintenance. */
  stop(): Promise<void>;
}

/**
 * Starts the API that the gateway of the agents reports to, if DATA_PLANE_KEY is set. Starts the removal of
 * expired sessions in any case: sessions may remain from a time when the key was set.
 * @throws when the port cannot be opened
 */
export async function startDataPlane(parts: DataPlaneParts): Promise<DataPlane> {
  const { config, logger, db, certificates } = parts;
  const sessions = new TunnelSessions(parts);
  const server =
    config.DATA_PLANE_KEY === undefined ? null : dataPlaneServer(config, config.DATA_PLANE_KEY, logger);
  if (server) addRoutes(server, sessions, certificates);
  const url = server && (await server.listen({ host: config.DATA_PLANE_HOST, port: config.DATA_PLANE_PORT }));
  if (url !== null) logger.info({ url }, 'data-plane API listening');
  const maintenance = new Maintenance(new MaintenanceTaskStore(db), logger);
  maintenance.start({
    name: 'expired_sessions',
    intervalMs: EXPIRY_INTERVAL_MS,
    run: ({ stopped }) => sessions.endExpired(stopped),
  });
  return {
    url: url ?? null,
    async stop() {
      await server?.close();
      await maintenance.stop();
    },
  };
}
