import { Module, type DynamicModule, type Type } from '@nestjs/common';
import { HealthController, HEALTH_TOKEN } from './health.controller.js';
import type { Health } from './http-services.js';

/** The root of the API: the families' module, and the routes that belong to no family. */
@Module({})
export class HttpModule {
  /** Puts those routes beside the ones of `module`. */
  static around(module: Type | DynamicModule, health: Health): DynamicModule {
    return {
      module: HttpModule,
      imports: [module],
      controllers: [HealthController],
      providers: [{ provide: HEALTH_TOKEN, useValue: health }],
    };
  }
}
