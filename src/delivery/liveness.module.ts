import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../config/config.js';
import { WORKER_LIVENESS } from '../health/liveness.js';
import { workerLiveness } from './worker.js';

/**
 * The liveness of this process's worker, apart from the worker: metrics and health report it, and the worker is
 * measured.
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
