import type { FastifyInstance } from 'fastify';
import type { Config } from '../config/config.js';
import { poolTurns } from '../database/connections/pool-turns.js';
import type { GuessLimit } from '../http/rate-limit/guess-limit.js';
import { listeningUrl } from '../http/request/base-url.js';
import type { Runner } from '../lifecycle/lifecycle.js';
import type { Logger } from '../logging/logger.js';
import type { ManagedCertificates } from '../resources/managed-certificates/managed-certificates.js';
import type { ConfigurationReader } from './configuration/configuration-reader.js';
import { addConfigurationRoutes } from './configuration/configuration-routes.js';
import { dataPlaneTurns } from './in-turn.js';
import { addRoutes } from './routes.js';
import { dataPlaneServer } from './server.js';
import type { TunnelSessions } from './tunnel-sessions.js';

/** Whose turns reads of the configuration take. */
const CONFIGURATION = 'configuration';

/** Dependencies of the data-plane API. */
export interface DataPlaneParts {
  readonly config: Pick<
    Config,
    | 'DATABASE_POOL_SIZE'
    | 'DATA_PLANE_KEY'
    | 'DATA_PLANE_CONFIG_KEY'
    | 'DATA_PLANE_HOST'
    | 'DATA_PLANE_PORT'
    | 'MAX_BODY_BYTES'
    | 'SHUTDOWN_DEADLINE_MS'
  >;
  readonly certificates: ManagedCertificates;
  readonly guesses: GuessLimit;
  readonly sessions: TunnelSessions;
  readonly configuration: ConfigurationReader;
  readonly logger: Logger;
}

/**
 * The API of the data plane: it takes the reports of gateways with DATA_PLANE_KEY, and offers their configuration with
 * DATA_PLANE_CONFIG_KEY.
 */
export class DataPlane implements Runner {
  private readonly server: FastifyInstance | null;
  private readonly stopped = new AbortController();
  private listening: string | undefined;

  constructor(private readonly parts: DataPlaneParts) {
    const { config, logger, certificates, guesses, sessions, configuration } = parts;
    const keys = { reports: config.DATA_PLANE_KEY, configuration: config.DATA_PLANE_CONFIG_KEY };
    const off = keys.reports === undefined && keys.configuration === undefined;
    this.server = off ? null : dataPlaneServer(config, keys, guesses, logger);
    const turns = dataPlaneTurns(poolTurns(config));
    if (this.server && keys.reports !== undefined) addRoutes(this.server, sessions, certificates, turns);
    if (this.server && keys.configuration !== undefined) {
      addConfigurationRoutes(this.server, {
        reader: configuration,
        logger,
        inTurn: (work) => turns.works(CONFIGURATION, work),
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

  /** Starts the API. @throws when the port cannot be opened */
  async start(): Promise<void> {
    const { config, logger } = this.parts;
    await this.server?.listen({ host: config.DATA_PLANE_HOST, port: config.DATA_PLANE_PORT });
    if (this.server) logger.info({ url: this.url }, 'data-plane API listening');
  }

  /** Stops accepting requests, and waits for running requests. Requests that wait for changes end. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.server?.close();
  }
}
