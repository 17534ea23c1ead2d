import { CONFIG } from '../config/config.js';
import { DATABASE } from '../database/database.js';
import { STORE } from '../database/store.js';
import { Liveness, WORKER_LIVENESS } from '../health/liveness.js';
import { Lifecycle, opened } from '../lifecycle/lifecycle.js';
import { provide } from '../lifecycle/provide.js';
import { LOGGER } from '../logging/logger.js';
import { targetLimits, targetOf } from '../targets/registry.js';
import { TARGET_OF, TargetClients } from './attempts/target-clients.js';
import { DELIVERY_OBSERVER } from './delivery-observer.js';
import { Dispatcher } from './dispatch/dispatcher.js';
import { Epochs, openEpochs } from './epochs/epochs.js';
import { openWitness } from './epochs/open-witness.js';
import { WitnessLog } from './epochs/witness-log.js';
import { WITNESS } from './epochs/witness.js';
import { LaneStore } from './lanes/lane-store.js';
import { openQueues, QUEUES } from './queues/queues.js';
import { Redeliveries } from './redelivery/redeliveries.js';
import { RedeliveryStore } from './redelivery/redelivery-store.js';
import { workerLiveness } from './worker.js';

/** Queues, epochs, dispatch and redelivery. Both roles dispatch; worker.providers.ts has what delivers. */
export const deliveryProviders = [
  opened('queues', provide(QUEUES, [CONFIG, STORE, LOGGER], openQueues), (queues) => queues.close()),
  opened(
    'queues',
    provide(WITNESS, [CONFIG, Lifecycle], (config, { host }) => openWitness(config, host.stop)),
    (witness) => witness?.close(),
  ),
  opened('dispatch', provide(WitnessLog, [WITNESS, LOGGER]), (log) => log.close()),
  opened('dispatch', provide(Epochs, [STORE, WITNESS, LOGGER], openEpochs), (epochs) => epochs.close()),
  provide(LaneStore, [DATABASE], (db) => new LaneStore(db, targetLimits)),
  opened(
    'dispatch',
    provide(
      Dispatcher,
      // The epochs are checked before anything is claimed.
      [LaneStore, QUEUES, LOGGER, DELIVERY_OBSERVER, Epochs],
      (lanes, queues, logger, observer) => new Dispatcher(lanes, queues, logger, observer),
    ),
    (dispatcher) => dispatcher.idle(),
  ),
  provide(RedeliveryStore, [DATABASE]),
  provide(Redeliveries, [RedeliveryStore, Dispatcher, DELIVERY_OBSERVER]),
  provide(TARGET_OF, [], () => targetOf),
  provide(TargetClients, [TARGET_OF, LOGGER]),
  provide(Liveness, [CONFIG], workerLiveness),
  provide(WORKER_LIVENESS, [CONFIG, Liveness], ({ ROLES: roles }, liveness) =>
    roles.includes('worker') ? liveness : null,
  ),
];
