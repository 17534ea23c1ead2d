import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config/config.js';
import { ServiceNames } from './service-names.js';

/** The DNS names of the service. */
@Module({
  providers: [{ provide: ServiceNames, inject: [CONFIG], useFactory: (config: Config) => new ServiceNames(config) }],
  exports: [ServiceNames],
})
export class NamesModule {}
