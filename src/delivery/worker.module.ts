import { Inject, Module, type DynamicModule, type OnModuleInit } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import type { Database } from '../database/database.js';
import { PROCESS_SESSION, type ProcessSession } from '../database/process-session.js';
import { STORE, type Store } from '../database/store.js';
import { WORKER_LIVENESS, type Liveness } from '../health/liveness.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import type { MaintenanceTask } from '../maintenance/maintenance.js';
import { SecretStore } from '../secrets/secret-store.js';
import { SecretsModule } from '../secrets/secrets.module.js';
import { targetOf } from '../targets/registry.js';
import { TargetClients } from './attempts/target-clients.js';
import { DELIVERY_OBSERVER, type DeliveryObserver } from './delivery-observer.js';
import { DeliveryModule } from './delivery.module.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { Epochs } from './epochs/epochs.js';
import { EpochsModule } from './epochs/epochs.module.js';
import { WitnessLog } from './epochs/witness-log.js';
import { WITNESS, type Witness } from './epochs/witness.js';
import { LaneStore } from './lanes/lane-store.js';
import { QUEUES, type Queues } from './queues/queues.js';
import { MARKER_OF, type MarkerOf } from './recovery/epoch-starts.js';
import { startWorker, type WorkerParts } from './worker.js';

/** Makes a maintenance task of a layer above this one. */
export type TaskFactory = (
  db: Database,
  logger: Logger,
  dispatcher: Dispatcher,
  observer: DeliveryObserver,
) => MaintenanceTask;

const WORKER_PARTS = Symbol('WorkerParts');

/** The delivery worker, which starts when the service listens. */
@Module({ imports: [DeliveryModule, EpochsModule, SecretsModule] })
export class DeliveryWorkerModule implements OnModuleInit {
  constructor(
    @Inject(Lifecycle) private readonly lifecycle: Lifecycle,
    @Inject(WORKER_PARTS) private readonly parts: WorkerParts,
  ) {}

  /** @param tasks maintenance that the worker runs beside its own */
  static with(tasks: readonly TaskFactory[]): DynamicModule {
    return {
      module: DeliveryWorkerModule,
      providers: [
        {
          provide: WORKER_PARTS,
          inject: [
            CONFIG,
            LOGGER,
            STORE,
            PROCESS_SESSION,
            SecretStore,
            QUEUES,
            LaneStore,
            Dispatcher,
            DELIVERY_OBSERVER,
            WORKER_LIVENESS,
            Epochs,
            WITNESS,
            WitnessLog,
            MARKER_OF,
            TargetClients,
          ],
          useFactory: (
            config: Config,
            logger: Logger,
            store: Store,
            session: ProcessSession,
            secrets: SecretStore,
            queues: Queues,
            lanes: LaneStore,
            dispatcher: Dispatcher,
            observer: DeliveryObserver,
            liveness: Liveness,
            epochs: Epochs,
            witness: Witness | null,
            witnessLog: WitnessLog,
            markerOf: MarkerOf,
            clients: TargetClients,
          ): WorkerParts => ({
            config,
            logger,
            store,
            session,
            secrets,
            queues,
            lanes,
            dispatcher,
            observer,
            liveness,
            epochs,
            witness,
            witnessLog,
            markerOf,
            clients,
            targetOf,
            tasks: tasks.map((task) => task(store.db, logger, dispatcher, observer)),
          }),
        },
      ],
    };
  }

  onModuleInit(): void {
    this.lifecycle.openWhenListening(
      'work',
      () => startWorker(this.parts),
      (worker) => worker.stop(this.parts.config.SHUTDOWN_DEADLINE_MS),
    );
  }
}
