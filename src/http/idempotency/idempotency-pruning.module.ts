import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { DATABASE, type Database } from '../../database/database.js';
import { WORKER_LIVENESS, type Liveness } from '../../health/liveness.js';
import { Lifecycle } from '../../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../../logging/logger.js';
import { Maintenance } from '../../maintenance/maintenance.js';
import { MaintenanceTaskStore } from '../../maintenance/task-store.js';
import { withTimeout } from '../../timing/with-timeout.js';
import { idempotencyPruning } from './idempotency-pruning.js';

/** The deletion of idempotency keys, a task of the workers. */
@Module({})
export class IdempotencyPruningModule implements OnModuleInit {
  constructor(
    @Inject(Lifecycle) private readonly lifecycle: Lifecycle,
    @Inject(DATABASE) private readonly db: Database,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(WORKER_LIVENESS) private readonly liveness: Liveness,
  ) {}

  onModuleInit(): void {
    this.lifecycle.openWhenListening(
      'work',
      () => {
        const maintenance = new Maintenance(new MaintenanceTaskStore(this.db), this.logger, this.liveness);
        maintenance.start(idempotencyPruning(this.db, this.logger));
        return maintenance;
      },
      // A statement under way ends by itself; the stores behind it close later.
      (maintenance) => withTimeout(maintenance.stop(), 1_000),
    );
  }
}
