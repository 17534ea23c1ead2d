import { Module, type FactoryProvider, type Type } from '@nestjs/common';
import { CertificatesModule } from '../certificates/certificates.module.js';
import { CONFIG, type Config } from '../config/config.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { EventCatalogue } from '../events/event-catalogue.js';
import { ServiceNames } from './building-blocks/names/service-names.js';
import { eventCatalogue } from './event-types.js';
import { families } from './families.js';
import type { Family } from './framework/family.js';
import { moduleController } from './framework/module-controller.js';
import { resourceControllers } from './framework/resource-controllers.js';
import {
  RESOURCE_SERVICES,
  ResourceService,
  serviceToken,
  type ResourceServices,
} from './framework/resource-service.js';
import { ResourceServicesModule } from './framework/resource-services.module.js';

function controllersOf({ definition, controllers = [] }: Family): readonly Type[] {
  const modules = definition.modules ?? [];
  return [
    ...resourceControllers(definition),
    ...modules.map((module) => moduleController(definition, module)),
    ...controllers,
  ];
}

function serviceOf({ definition, behaviour }: Family): FactoryProvider<ResourceService> {
  return {
    provide: serviceToken(definition),
    inject: [RESOURCE_SERVICES, ...(behaviour?.inject ?? [])],
    useFactory: (services: ResourceServices, ...dependencies: readonly unknown[]) =>
      new ResourceService(definition, services, behaviour?.create(...dependencies)),
  };
}

const services = families.map(serviceOf);

/** Routes and services of every family. */
@Module({
  imports: [CertificatesModule, DeliveryModule, ResourceServicesModule],
  controllers: families.flatMap(controllersOf),
  providers: [
    ...services,
    { provide: ServiceNames, inject: [CONFIG], useFactory: (config: Config) => new ServiceNames(config) },
    { provide: EventCatalogue, useValue: eventCatalogue },
  ],
  exports: services.map(({ provide }) => provide),
})
export class ResourcesModule {}
