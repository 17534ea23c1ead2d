import { CONFIG } from '../config/config.js';
import { opened } from '../lifecycle/lifecycle.js';
import { provide } from '../lifecycle/provide.js';
import { LOGGER } from '../logging/logger.js';
import { CertificateChecks } from './certificate-checks.js';
import { CERTIFICATE_REGISTRY } from './certificate-registry.js';
import { CertificateReports } from './certificate-reports.js';
import { CertificateReader } from './reading/certificate-reader.js';

/** The reader of certificates, and the checks and reports of managed ones. */
export const certificateProviders = [
  opened('dispatch', provide(CertificateReader, []), (reader) => reader.close()),
  provide(CertificateReports, [CERTIFICATE_REGISTRY, CertificateReader]),
  provide(
    CertificateChecks,
    [CERTIFICATE_REGISTRY, CONFIG, LOGGER],
    (registry, config, logger) => new CertificateChecks(registry, config.DNS_SERVERS, logger),
  ),
];
