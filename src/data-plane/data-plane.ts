import type { FastifyInstance } from 'fastify';
import type { CertificateReports } from '../certificates/certificate-reports.js';
import type { Config } from '../config/config.js';
import type { GuessLimit } from '../http/rate-limit/guess-limit.js';
import { listeningUrl } from '../http/request/base-url.js';
import { Maintenance } from '../maintenance/maintenance.js';
import { MaintenanceTaskStore } from '../maintenance/task-store.js';
import type { ResourceService } from '../resources/framework/service/resource-service.js';
import { ConfigurationReader } from './configuration/configuration-reader.js';
import { addConfigurationRoutes } from './configuration/configuration-routes.js';
import { ReadLog } from './configuration/read-log.js';
import { addRoutes } from './routes.js';
import { dataPlaneServer } from './server.js';
import { TunnelSessions, type SessionServices } from './tunnel-sessions.js';

/** Interval between removals of expired sessions, in milliseconds. Expired sessions are hidden at once. */
const EXPIRY_INTERVAL_MS = 2_000;
/** Interval between steps that forget old deletions of the configuration, in milliseconds. */
const FORGETTING_INTERVAL_MS = 600_000;

/** Dependencies of the data-plane API. */
export interface DataPlaneParts extends SessionServices {
  readonly config: Pick<
    Config,
    | 'DATA_PLANE_KEY'
    | 'DATA_PLANE_CONFIG_KEY'
    | 'DATA_PLANE_HOST'
    | 'DATA_PLANE_PORT'
    | 'MAX_BODY_BYTES'
    | 'SHUTDOWN_DEADLINE_MS'
  >;
  readonly certificates: CertificateReports;
  readonly guesses: GuessLimit;
  /** The services of the families that configure the data plane, by name. */
  readonly families: ReadonlyMap<string, ResourceService>;
}

/**
 * The API of the data plane: it takes the reports of gateways with DATA_PLANE_KEY, and offers their configuration with
 * DATA_PLANE_CONFIG_KEY. Removes expired sessions in any case: sessions may remain from a time when the key was set.
 */
export class DataPlane {
  private readonly server: FastifyInstance | null;
  private readonly sessions: TunnelSessions;
  private readonly configuration: ConfigurationReader;
  private readonly maintenance: Maintenance;
  private readonly stopped = new AbortController();
  private listening: string | undefined;

  constructor(private readonly parts: DataPlaneParts) {
    const { config, logger, db, certificates, guesses } = parts;
    this.sessions = new TunnelSessions(parts);
    this.maintenance = new Maintenance(new MaintenanceTaskStore(db), logger);
    this.configuration = new ConfigurationReader(parts);
    const keys = { reports: config.DATA_PLANE_KEY, configuration: config.DATA_PLANE_CONFIG_KEY };
    const off = keys.reports === undefined && keys.configuration === undefined;
    this.server = off ? null : dataPlaneServer(config, keys, guesses, logger);
    if (this.server && keys.reports !== undefined) addRoutes(this.server, this.sessions, certificates);
    if (this.server && keys.configuration !== undefined) {
      addConfigurationRoutes(this.server, {
        reader: this.configuration,
        log: new ReadLog(logger),
        stopped: this.stopped.signal,
      });
    }
  }

  /** Address that the API listens on; null without a key. @throws Error before the API listens */
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
    this.maintenance.start({
      name: 'configuration_deletions',
      intervalMs: FORGETTING_INTERVAL_MS,
      run: ({ stopped }) => this.configuration.forgetDeletions(stopped),
    });
  }

  /** Stops accepting requests, and waits for running requests and maintenance. Requests that wait for changes end. */
  async stop(): Promise<void> {
    this.stopped.abort();
    const results = await Promise.allSettled([this.server?.close(), this.maintenance.stop()]);
    const failed = results.find(({ status }) => status === 'rejected');
    if (failed?.status === 'rejected') throw failed.reason;
  }
}
