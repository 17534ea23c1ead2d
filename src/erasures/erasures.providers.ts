import { DATABASE } from '../database/database.js';
import { Dispatcher } from '../delivery/dispatch/dispatcher.js';
import { provide } from '../lifecycle/provide.js';
import { LOGGER } from '../logging/logger.js';
import { KeyRing } from '../secrets/key-ring.js';
import { LogKeys } from '../secrets/log-keys.js';
import { ErasureRunner } from './erasure-runner.js';
import { ErasureStore } from './erasure-store.js';
import { ErasuresController } from './erasures.controller.js';

/** The routes of erasures, and of the records of logs. */
export const erasureControllers = [ErasuresController];

/** The erasure of events. */
export const erasureProviders = [
  provide(ErasureStore, [DATABASE]),
  provide(ErasureRunner, { db: DATABASE, ring: KeyRing, keys: LogKeys, dispatcher: Dispatcher, logger: LOGGER }),
];
