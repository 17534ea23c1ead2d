import type { Database } from '../database/database.js';
import type { Lifecycle } from '../lifecycle/lifecycle.js';
import type { Logger } from '../logging/logger.js';
import { Maintenance, type MaintenanceTask } from './maintenance.js';
import { MaintenanceTaskStore } from './task-store.js';

/** Runs a maintenance task in an api process, from the moment when it listens until its work ends. */
export function maintainWhileListening(
  lifecycle: Lifecycle,
  { db, logger }: { readonly db: Database; readonly logger: Logger },
  task: MaintenanceTask,
): void {
  lifecycle.openWhenListening(
    'work',
    () => {
      const maintenance = new Maintenance(new MaintenanceTaskStore(db), logger);
      maintenance.start(task);
      return maintenance;
    },
    (maintenance) => maintenance.stop(),
  );
}
