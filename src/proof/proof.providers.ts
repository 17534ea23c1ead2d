import { CONFIG } from '../config/config.js';
import { DATABASE } from '../database/database.js';
import { Dispatcher } from '../delivery/dispatch/dispatcher.js';
import { FIND_UNLOGGED } from '../delivery/finished/finished-days.js';
import { provide } from '../lifecycle/provide.js';
import { LOGGER } from '../logging/logger.js';
import { LogKeys } from '../secrets/log-keys.js';
import { Cosigning } from './cosigning.js';
import { LogLinksController } from './log-links.controller.js';
import { LogReader } from './log-reader.js';
import { LogSealer } from './log-sealer.js';
import { LogStore } from './log-store.js';
import { ProofController } from './proof.controller.js';

/** The routes of the logs. */
export const proofControllers = [ProofController, LogLinksController];

/** The logs of destinations. */
export const proofProviders = [
  provide(LogStore, [DATABASE], (db) => new LogStore(db)),
  provide(FIND_UNLOGGED, [LogStore], (logs) => (ms) => logs.unlogged(ms)),
  provide(
    LogSealer,
    { config: CONFIG, db: DATABASE, keys: LogKeys, dispatcher: Dispatcher, logger: LOGGER },
    ({ config, ...parts }) => {
      const checkpointMs = 1_000 * config.PROOF_CHECKPOINT_SECONDS;
      return new LogSealer({ ...parts, checkpointMs, isCosigned: config.PROOF_COSIGNERS !== undefined });
    },
  ),
  provide(
    Cosigning,
    { config: CONFIG, db: DATABASE, logger: LOGGER, sealer: LogSealer },
    ({ config, sealer: { intervalMs }, ...parts }) =>
      new Cosigning({ ...parts, cosigners: config.PROOF_COSIGNERS ?? [], intervalMs }),
  ),
  provide(LogReader, [DATABASE, LogKeys]),
];
