import type { FastifyInstance } from 'fastify';
import type { CertificateReports } from '../certificates/certificate-reports.js';
import type { Config } from '../config/config.js';
import { listeningUrl } from '../http/base-url.js';
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

/**
 * The API that the gateway of the agents reports to, if DATA_PLANE_KEY is set. Removes expired sessions in any case:
 * sessions may remain from a time when the key was set.
 */
export class DataPlane {
  private readonly server: FastifyInstance | null;
  private readonly sessions: TunnelSessions;
  private readonly maintenance: Maintenance;
  private listening: string | undefined;

  constructor(private readonly parts: DataPlaneParts) {
    const { config, logger, db, certificates } = parts;
    this.sessions = new TunnelSessions(parts);
    this.maintenance = new Maintenance(new MaintenanceTaskStore(db), logger);
    const { DATA_PLANE_KEY: key } = config;
    this.server = key === undefined ? null : dataPlaneServer(config, key, logger);
    if (this.server) addRoutes(this.server, this.sessions, certificates);
  }

  /** Address that the API listens on; null without DATA_PLANE_KEY. @throws Error before the API listens */
  get url(): string | null {
    return (
      this.server && (this.listening ??= listeningUrl(this.parts.config.DATA_PLANE_HOST, this.server.server.address()))
    );
  }

  /** Starts the API and the removal of sessions. @throws when the port cannot be opened */
  async start(): Promise<void> {
    const { config, logger } = this.parts;
    await this.server?.listen({ host: config.DATA_PLANE_HOST, port: config.DATA_PLANE_PORT });
    if (this.server) logger.info({ url: this.url }, 'data-plane API listening');
    this.maintenance.start({
      name: 'expired_sessions',
      intervalMs: EXPIRY_INTERVAL_MS,
      run: ({ stopped }) => this.sessions.endExpired(stopped),
    });
  }

  /** Stops accepting requests, and waits for running requests and maintenance. */
  async stop(): Promise<void> {
    const results = await Promise.allSettled([this.server?.close(), this.maintenance.stop()]);
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }
}
