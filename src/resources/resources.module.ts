import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { families } from './families.js';
import type { BehaviourServices, Family } from './framework/family.js';
import { moduleController } from './framework/module-controller.js';
import { resourceController, serviceToken } from './framework/resource-controller.js';
import { ResourceService, type ResourceServices } from './framework/resource-service.js';

const all: readonly Family[] = families;
const controllers = all.flatMap(({ definition, controllers: own = [] }): Type[] => [
  resourceController(definition),
  ...(definition.modules ?? []).map((module) => moduleController(definition, module)),
  ...own,
]);

/** Routes and services of every family. */
@Module({})
export class ResourcesModule {
  /** Makes them all out of the list of families. */
  static with(services: ResourceServices, behaviourServices: BehaviourServices): DynamicModule {
    const providers = all.map(({ definition, behaviour }) => ({
      provide: serviceToken(definition),
      useValue: new ResourceService(definition, services, behaviour?.(behaviourServices)),
    }));
    return {
      module: ResourcesModule,
      providers,
      controllers,
      exports: providers.map(({ provide }) => provide),
    };
  }

  /** The same routes with nothing behind them: to be described, not to be called. */
  static forDocumentation(): DynamicModule {
    const providers = all.map(({ definition }) => ({ provide: serviceToken(definition), useValue: {} }));
    return {
      module: ResourcesModule,
      providers,
      controllers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}
