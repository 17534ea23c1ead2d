import { Module } from '@nestjs/common';
import { QUEUES, type Queues } from '../delivery/queues/queues.js';
import { QueuesModule } from '../delivery/queues/queues.module.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { CertificateJobs } from './certificate-jobs.js';
import { CertificateReader } from './certificate-reader.js';

/** The jobs that check managed names, and the reader of certificates. */
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
    {
      provide: CertificateReader,
      inject: [Lifecycle],
      useFactory: (lifecycle: Lifecycle) =>
        lifecycle.open(
          'dispatch',
          () => new CertificateReader(),
          (reader) => reader.close(),
        ),
    },
  ],
  exports: [CertificateJobs, CertificateReader],
})
export class CertificatesModule {}
