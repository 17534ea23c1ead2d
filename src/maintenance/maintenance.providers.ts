import { CONFIG } from '../config/config.js';
import { DATABASE } from '../database/database.js';
import { WORKER_LIVENESS } from '../health/liveness.js';
import { provide } from '../lifecycle/provide.js';
import { LOGGER } from '../logging/logger.js';
import { Maintenance, MAINTENANCE_TASKS } from './maintenance.js';
import { MaintenanceTaskStore } from './task-store.js';

/** The timers of the maintenance tasks of the process. */
export const maintenanceProviders = [
  provide(MaintenanceTaskStore, [DATABASE]),
  provide(
    Maintenance,
    {
      config: CONFIG,
      tasks: MAINTENANCE_TASKS,
      store: MaintenanceTaskStore,
      liveness: WORKER_LIVENESS,
      logger: LOGGER,
    },
    ({ config, ...parts }) => new Maintenance({ ...parts, stopMs: config.SHUTDOWN_DEADLINE_MS }),
  ),
];
