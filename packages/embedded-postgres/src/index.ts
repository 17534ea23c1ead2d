export { startEmbeddedPostgres, type EmbeddedPostgres, type EmbeddedPostgresOptions } from './embedded-postgres.js';
export { EmbeddedPostgresError, type EmbeddedPostgresErrorCode } from './embedded-postgres-error.js';
export { checkConnection, type ConnectionFailure } from './check-connection.js';
export { freePort } from './free-port.js';
export type { Logger } from './logger.js';
export { startWithParent, type GuardedProcess } from './process-with-parent.js';
export { runningServerUrl } from './running-server.js';
