import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { CertificateJobs } from '../../certificates/certificate-jobs.js';
import { startCertificateWorker, type CertificateWorkerParts } from '../../certificates/certificate-worker.js';
import { CONFIG, type Config } from '../../config/config.js';
import { STORE, type Store } from '../../database/store.js';
import { QUEUES, type Queues } from '../../delivery/queues/queues.js';
import { QueuesModule } from '../../delivery/queues/queues.module.js';
import { WORKER_LIVENESS, type Liveness } from '../../health/liveness.js';
import { Lifecycle } from '../../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../../logging/logger.js';
import { ManagedCertificates } from './managed-certificates.js';
import { ManagedCertificatesModule } from './managed-certificates.module.js';

const WORKER_PARTS = Symbol('CertificateWorkerParts');

/**
 * The worker that checks managed names, which starts when the service listens: its events need the address.
 */
@Module({
  imports: [ManagedCertificatesModule, QueuesModule],
  providers: [
    {
      provide: WORKER_PARTS,
      inject: [CONFIG, LOGGER, STORE, QUEUES, CertificateJobs, ManagedCertificates, WORKER_LIVENESS],
      useFactory: (
        config: Config,
        logger: Logger,
        store: Store,
        queues: Queues,
        jobs: CertificateJobs,
        registry: ManagedCertificates,
        liveness: Liveness,
      ): CertificateWorkerParts => ({ config, logger, store, queues, jobs, registry, liveness }),
    },
  ],
})
export class CertificateWorkerModule implements OnModuleInit {
  constructor(
    @Inject(Lifecycle) private readonly lifecycle: Lifecycle,
    @Inject(WORKER_PARTS) private readonly parts: CertificateWorkerParts,
  ) {}

  onModuleInit(): void {
    this.lifecycle.openWhenListening(
      'work',
      () => startCertificateWorker(this.parts),
      (worker) => worker.stop(),
    );
  }
}
