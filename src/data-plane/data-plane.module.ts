import { Inject, Module, type OnModuleInit } from '@nestjs/common';
import { CertificateReports } from '../certificates/certificate-reports.js';
import { CONFIG, type Config } from '../config/config.js';
import { HttpModule } from '../http/http.module.js';
import { GuessLimit } from '../http/rate-limit/guess-limit.js';
import { BaseUrl } from '../http/request/base-url.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import {
  RESOURCE_SERVICES,
  serviceToken,
  type ResourceService,
  type ResourceServices,
} from '../resources/framework/service/resource-service.js';
import { ResourceServicesModule } from '../resources/framework/service/resource-services.module.js';
import { ManagedCertificatesModule } from '../resources/managed-certificates/managed-certificates.module.js';
import { ResourcesModule } from '../resources/resources.module.js';
import { configurationFamilies } from './configuration/configuration-families.js';
import { DataPlane } from './data-plane.js';

/**
 * The interface of the data plane. It starts when the service listens: its events need the
 * address.
 */
@Module({
  imports: [HttpModule, ManagedCertificatesModule, ResourceServicesModule, ResourcesModule],
  providers: [
    {
      provide: DataPlane,
      inject: [
        CONFIG,
        LOGGER,
        RESOURCE_SERVICES,
        CertificateReports,
        BaseUrl,
        GuessLimit,
        ...configurationFamilies.map(serviceToken),
      ],
      useFactory: (
        config: Config,
        logger: Logger,
        services: ResourceServices,
        certificates: CertificateReports,
        baseUrl: BaseUrl,
        guesses: GuessLimit,
        ...families: readonly ResourceService[]
      ) => {
        const byName = new Map(families.map((family) => [family.definition.name, family]));
        return new DataPlane({ ...services, config, logger, certificates, baseUrl, guesses, families: byName });
      },
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
