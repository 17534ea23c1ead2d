import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { families } from './families.js';
import type { BehaviourServices, Family } from './framework/family.js';
import { resourceController, serviceToken } from './framework/resource-controller.js';
import { ResourceService, type ResourceServices } from './framework/resource-service.js';

/** Routes and services of every family. */
@Module({})
export class ResourcesModule {
  /** Makes them all out of the list of families. */
  static with(services: ResourceServices, behaviourServices: BehaviourServices): DynamicModule {
    const all: readonly Family[] = families;
    return {
      module: ResourcesModule,
      providers: all.map(({ definition, behaviour }) => ({
        provide: serviceToken(definition),
        useValue: new ResourceService(definition, services, behaviour?.(behaviourServices)),
      })),
      controllers: all.flatMap(({ definition, controllers = [] }): Type[] => [
        resourceController(definition),
        ...controllers,
      ]),
    };
  }
}
