import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { CertificateReports } from '../certificates/certificate-reports.js';
import { CONFIG, type Config } from '../config/config.js';
import { BaseUrl } from '../http/base-url.js';
import { HttpModule } from '../http/http.module.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { RESOURCE_SERVICES, type ResourceServices } from '../resources/framework/resource-service.js';
import { ResourceServicesModule } from '../resources/framework/resource-services.module.js';
import { ManagedCertificatesModule } from '../resources/managed-certificates/managed-certificates.module.js';
import { DataPlane } from './data-plane.js';

/**
 * The interface that the gateway of the agents reports to. It starts when the service listens: its events need the
 * address.
 */
@Module({
  imports: [HttpModule, ManagedCertificatesModule, ResourceServicesModule],
  providers: [
    {
      provide: DataPlane,
      inject: [CONFIG, LOGGER, RESOURCE_SERVICES, CertificateReports, BaseUrl],
      useFactory: (
        config: Config,
        logger: Logger,
        services: ResourceServices,
        certificates: CertificateReports,
        baseUrl: BaseUrl,
      ) => new DataPlane({ ...services, config, logger, certificates, baseUrl }),
    },
  ],
  exports: [DataPlane],
})
export class DataPlaneModule implements OnModuleInit {
  constructor(
    @Inject(Lifecycle) private readonly lifecycle: Lifecycle,
    @Inject(DataPlane) private readonly dataPlane: DataPlane,
  ) {}

  onModuleInit(): void {
    this.lifecycle.openWhenListening(
      'work',
      () => this.dataPlane.start(),
      () => this.dataPlane.stop(),
    );
  }
}
