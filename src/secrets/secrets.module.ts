import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { DATABASE, type Database } from '../database/database.js';
import { PROCESS_SESSION, type ProcessSession } from '../database/process-session.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { KeyRing } from './key-ring.js';
import { OPEN_KEY_RING, openKeyRing, type OpenKeyRing } from './open-key-ring.js';
import { SecretStore } from './secret-store.js';

/** The key ring, and the secrets that it seals. */
@Module({
  providers: [
    {
      provide: OPEN_KEY_RING,
      inject: [CONFIG, DATABASE, PROCESS_SESSION, LOGGER, Lifecycle],
      useFactory: (config: Config, db: Database, session: ProcessSession, logger: Logger, lifecycle: Lifecycle) =>
        lifecycle.open(
          'keys',
          () => openKeyRing(config, { db, session }, logger),
          (keys) => keys.close(),
        ),
    },
    { provide: KeyRing, inject: [OPEN_KEY_RING], useFactory: ({ ring }: OpenKeyRing) => ring },
    { provide: SecretStore, inject: [KeyRing], useFactory: (ring: KeyRing) => new SecretStore(ring) },
  ],
  exports: [KeyRing, SecretStore],
})
export class SecretsModule {}
