import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { WORKER_LIVENESS } from '../health/liveness.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { targetOf } from '../targets/registry.js';
import { TargetClients } from './attempts/target-clients.js';
import { workerLiveness } from './worker.js';

/**
 * What the worker of this process reports: its liveness, and the vendors' clients. A module of its own, because the
 * metrics need both and the worker needs the metrics.
 */
@Module({
  providers: [
    {
      provide: WORKER_LIVENESS,
      inject: [CONFIG],
      useFactory: (config: Config) => (config.ROLES.includes('worker') ? workerLiveness(config) : null),
    },
    {
      provide: TargetClients,
      inject: [LOGGER],
      useFactory: (logger: Logger) => new TargetClients(targetOf, logger),
    },
  ],
  exports: [WORKER_LIVENESS, TargetClients],
})
export class LivenessModule {}
