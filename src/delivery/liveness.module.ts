import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { WORKER_LIVENESS } from '../health/liveness.js';
import { workerLiveness } from './worker.js';

/**
 * The liveness of this process's worker. A module of its own, because the metrics need the liveness and the worker
 * needs the metrics.
 */
@Module({
  providers: [
    {
      provide: WORKER_LIVENESS,
      inject: [CONFIG],
      useFactory: (config: Config) => (config.ROLES.includes('worker') ? workerLiveness(config) : null),
    },
  ],
  exports: [WORKER_LIVENESS],
})
export class LivenessModule {}
