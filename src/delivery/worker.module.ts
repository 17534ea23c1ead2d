import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { STORE, type Store } from '../database/store.js';
import { WORKER_LIVENESS, type Liveness } from '../health/liveness.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { SecretStore } from '../secrets/secret-store.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { targetOf } from '../targets/registry.js';
import { DELIVERY_OBSERVER, type DeliveryObserver } from './delivery-observer.js';
import { DeliveryModule } from './delivery.module.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { LaneStore } from './lanes/lane-store.js';
import { QUEUES, type Queues } from './queues/queues.js';
import { startWorker, type WorkerParts } from './worker.js';

const WORKER_PARTS = Symbol('WorkerParts');

/** The delivery worker, which starts when the service listens. */
@Module({
  imports: [DeliveryModule, SecretsModule],
  providers: [
    {
      provide: WORKER_PARTS,
      inject: [CONFIG, LOGGER, STORE, SecretStore, QUEUES, LaneStore, Dispatcher, DELIVERY_OBSERVER, WORKER_LIVENESS],
      useFactory: (
        config: Config,
        logger: Logger,
        store: Store,
        secrets: SecretStore,
        queues: Queues,
        lanes: LaneStore,
        dispatcher: Dispatcher,
        observer: DeliveryObserver,
        liveness: Liveness,
      ): WorkerParts => ({
        config,
        logger,
        store,
        secrets,
        queues,
        lanes,
        dispatcher,
        observer,
        liveness,
        targetOf,
      }),
    },
  ],
})
export class DeliveryWorkerModule implements OnModuleInit {
  constructor(
    @Inject(Lifecycle) private readonly lifecycle: Lifecycle,
    @Inject(WORKER_PARTS) private readonly parts: WorkerParts,
  ) {}

  onModuleInit(): void {
    this.lifecycle.openWhenListening(
      'work',
      () => startWorker(this.parts),
      (worker) => worker.stop(this.parts.config.SHUTDOWN_DEADLINE_MS),
    );
  }
}
