import { Module, type DynamicModule } from '@nestjs/common';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import { LOGGER, type Logger } from '../logging/logger.js';
import { CONFIG, type Config } from './config.js';

/** What every module may inject: the settings, the log and the lifecycle of the service. */
@Module({})
export class ConfigModule {
  static with(config: Config, logger: Logger, lifecycle: Lifecycle): DynamicModule {
    return {
      module: ConfigModule,
      global: true,
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: LOGGER, useValue: logger },
        { provide: Lifecycle, useValue: lifecycle },
      ],
      exports: [CONFIG, LOGGER, Lifecycle],
    };
  }
}
