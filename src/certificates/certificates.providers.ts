import { CONFIG } from '../config/config.js';
import { QUEUES } from '../delivery/queues/queues.js';
import { Liveness } from '../health/liveness.js';
import { opened } from '../lifecycle/lifecycle.js';
import { provide } from '../lifecycle/provide.js';
import { LOGGER } from '../logging/logger.js';
import { CertificateJobs } from './certificate-jobs.js';
import { CERTIFICATE_REGISTRY } from './certificate-registry.js';
import { CertificateReports } from './certificate-reports.js';
import { CertificateSweeper } from './certificate-sweeper.js';
import { CertificateWorker } from './certificate-worker.js';
import { CertificateReader } from './reading/certificate-reader.js';

/** The reader of certificates, and the checks and reports of managed ones. */
export const certificateProviders = [
  opened('dispatch', provide(CertificateJobs, [QUEUES, LOGGER]), (jobs) => jobs.idle()),
  opened('dispatch', provide(CertificateReader, []), (reader) => reader.close()),
  provide(CertificateReports, [CERTIFICATE_REGISTRY, CertificateJobs, CertificateReader]),
  provide(
    CertificateSweeper,
    [CONFIG, CERTIFICATE_REGISTRY, CertificateJobs],
    ({ SWEEP_INTERVAL_MS: intervalMs }, registry, jobs) => new CertificateSweeper(intervalMs, registry, jobs),
  ),
  provide(CertificateWorker, {
    config: CONFIG,
    queues: QUEUES,
    registry: CERTIFICATE_REGISTRY,
    liveness: Liveness,
    logger: LOGGER,
  }),
];
