import { Module } from '@nestjs/common';
import { CertificateJobs } from '../../certificates/certificate-jobs.js';
import { CertificateReports } from '../../certificates/certificate-reports.js';
import { CertificatesModule } from '../../certificates/certificates.module.js';
import { CONFIG, type Config } from '../../config/config.js';
import { BaseUrl } from '../../http/base-url.js';
import { HttpModule } from '../../http/http.module.js';
import { RESOURCE_SERVICES, type ResourceServices } from '../framework/resource-service.js';
import { ResourceServicesModule } from '../framework/resource-services.module.js';
import { ManagedCertificates } from './managed-certificates.js';

/** The resources whose certificates are managed, and what the data plane reports of those certificates. */
@Module({
  imports: [CertificatesModule, HttpModule, ResourceServicesModule],
  providers: [
    {
      provide: ManagedCertificates,
      inject: [RESOURCE_SERVICES, CONFIG, BaseUrl],
      useFactory: (services: ResourceServices, config: Config, baseUrl: BaseUrl) =>
        new ManagedCertificates(services, config, baseUrl),
    },
    {
      provide: CertificateReports,
      inject: [ManagedCertificates, CertificateJobs],
      useFactory: (registry: ManagedCertificates, jobs: CertificateJobs) => new CertificateReports(registry, jobs),
    },
  ],
  exports: [ManagedCertificates, CertificateReports, CertificatesModule],
})
export class ManagedCertificatesModule {}
