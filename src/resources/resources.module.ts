import { Inject, Module, type FactoryProvider, type Type } from '@nestjs/common';
import { CertificatesModule } from '../certificates/certificates.module.js';
import { CONFIG, ConfigError, type Config } from '../config/config.js';
import { DeliveryModule } from '../delivery/delivery.module.js';
import { EventCatalogue } from '../events/catalogue/event-catalogue.js';
import { EventsModule } from '../events/events.module.js';
import { NamesModule } from './building-blocks/names/names.module.js';
import { eventCatalogue } from './event-types.js';
import { families, familiesWithoutEvents } from './families.js';
import { ApiKeyLimit } from './families/api-keys/api-key-limit.js';
import type { Family } from './framework/definition/family.js';
import { moduleController } from './framework/routes/module-controller.js';
import { resourceControllers } from './framework/routes/resource-controllers.js';
import {
  RESOURCE_SERVICES,
  ResourceService,
  serviceToken,
  type ResourceServices,
} from './framework/service/resource-service.js';
import { ResourceServicesModule } from './framework/service/resource-services.module.js';

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

const all: readonly Family[] = [...families, ...familiesWithoutEvents];
const services = all.map(serviceOf);

/** Routes and services of every family. */
@Module({
  imports: [CertificatesModule, DeliveryModule, EventsModule, NamesModule, ResourceServicesModule],
  controllers: all.flatMap(controllersOf),
  providers: [
    ...services,
    { provide: EventCatalogue, useValue: eventCatalogue },
    {
      provide: ApiKeyLimit,
      inject: [CONFIG],
      useFactory: (config: Config) => new ApiKeyLimit(config.API_KEYS_PER_PRINCIPAL),
    },
  ],
  exports: services.map(({ provide }) => provide),
})
export class ResourcesModule {
  /** @throws ConfigError when QUOTAS names a family that does not exist */
  constructor(@Inject(CONFIG) config: Config) {
    const names: readonly string[] = families.map(({ definition }) => definition.name);
    const unknown = Object.keys(config.QUOTAS ?? {}).filter((name) => !names.includes(name));
    if (unknown.length === 0) return;
    throw new ConfigError(`QUOTAS names ${unknown.join(', ')}. The families are ${names.join(', ')}.`);
  }
}
