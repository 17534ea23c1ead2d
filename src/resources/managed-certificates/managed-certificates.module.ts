import { Module } from '@nestjs/common';
import { CertificateJobs } from '../../certificates/certificate-jobs.js';
import { CertificateReader } from '../../certificates/certificate-reader.js';
import { CertificateReports } from '../../certificates/certificate-reports.js';
import { CertificatesModule } from '../../certificates/certificates.module.js';
import { CONFIG, type Config } from '../../config/config.js';
import { HttpModule } from '../../http/http.module.js';
import { BaseUrl } from '../../http/request/base-url.js';
import { NamesModule } from '../building-blocks/names/names.module.js';
import { ServiceNames } from '../building-blocks/names/service-names.js';
import { RESOURCE_SERVICES, type ResourceServices } from '../framework/service/resource-service.js';
import { ResourceServicesModule } from '../framework/service/resource-services.module.js';
import { ManagedCertificates } from './managed-certificates.js';

/** The resources whose certificates are managed, and what the data plane reports of those certificates. */
@Module({
  imports: [CertificatesModule, HttpModule, NamesModule, ResourceServicesModule],
  providers: [
    {
      provide: ManagedCertificates,
      inject: [RESOURCE_SERVICES, CONFIG, ServiceNames, BaseUrl],
      useFactory: (services: ResourceServices, config: Config, names: ServiceNames, baseUrl: BaseUrl) =>
        new ManagedCertificates(services, config, names, baseUrl),
    },
    {
      provide: CertificateReports,
      inject: [ManagedCertificates, CertificateJobs, CertificateReader],
      useFactory: (registry: ManagedCertificates, jobs: CertificateJobs, reader: CertificateReader) =>
        new CertificateReports(registry, jobs, reader),
    },
  ],
  exports: [ManagedCertificates, CertificateReports, CertificatesModule],
})
export class ManagedCertificatesModule {}
