import { Module } from '@nestjs/common';
import { QUEUES, type Queues } from '../delivery/queues/queues.js';
import { QueuesModule } from '../delivery/queues/queues.module.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { CertificateJobs } from './certificate-jobs.js';

/** The jobs that check managed names. */
@Module({
  imports: [QueuesModule],
  providers: [
    {
      provide: CertificateJobs,
      inject: [QUEUES, LOGGER, Lifecycle],
      useFactory: (queues: Queues, logger: Logger, lifecycle: Lifecycle) =>
        lifecycle.open(
          'dispatch',
          () => new CertificateJobs(queues, logger),
          (jobs) => jobs.idle(),
        ),
    },
  ],
  exports: [CertificateJobs],
})
export class CertificatesModule {}
