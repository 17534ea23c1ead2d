import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../../config/config.js';
import { STORE, type Store } from '../../database/store.js';
import { Lifecycle } from '../../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../../logging/logger.js';
import { Epochs } from './epochs.js';
import { openWitness } from './open-witness.js';
import { WitnessLog } from './witness-log.js';
import { WITNESS, type Witness } from './witness.js';

/** The epoch of the installation and the witness of its numbers. */
@Module({
  providers: [
    {
      provide: WITNESS,
      inject: [CONFIG, Lifecycle],
      useFactory: (config: Config, lifecycle: Lifecycle) =>
        lifecycle.open(
          'queues',
          () => openWitness(config, lifecycle.host.stop),
          (witness) => witness?.close(),
        ),
    },
    {
      provide: WitnessLog,
      inject: [WITNESS, LOGGER, Lifecycle],
      useFactory: (witness: Witness | null, logger: Logger, lifecycle: Lifecycle) =>
        lifecycle.open(
          'dispatch',
          () => new WitnessLog(witness, logger),
          (log) => log.close(),
        ),
    },
    {
      provide: Epochs,
      inject: [STORE, WITNESS, LOGGER, Lifecycle],
      useFactory: (store: Store, witness: Witness | null, logger: Logger, lifecycle: Lifecycle) =>
        lifecycle.open(
          'dispatch',
          () => watchedEpochs(store, witness, logger),
          (epochs) => epochs.close(),
        ),
    },
  ],
  exports: [WITNESS, WitnessLog, Epochs],
})
export class EpochsModule {}

/** Opens the epochs, with a check now and whenever the database is another server or the same one restarted. */
async function watchedEpochs(store: Store, witness: Witness | null, logger: Logger): Promise<Epochs> {
  if (!witness)
    logger.info('no witness outside the database: after a restore from a copy of its files, run declare-recovery');
  const epochs = new Epochs({ db: store.db, witness, logger });
  store.onServerStart(() => epochs.checkSoon());
  await epochs.start();
  return epochs;
}
