import { Module } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config/config.js';
import { DATABASE, type Database } from '../../../database/database.js';
import { DeliveryModule } from '../../../delivery/delivery.module.js';
import { Dispatcher } from '../../../delivery/dispatch/dispatcher.js';
import { EventsModule } from '../../../events/events.module.js';
import { EventRecorder } from '../../../events/fan-out/event-recorder.js';
import { HttpModule } from '../../../http/http.module.js';
import { BaseUrl } from '../../../http/request/base-url.js';
import { SecretStore } from '../../../secrets/secret-store.js';
import { SecretsModule } from '../../../secrets/secrets.module.js';
import { Quotas } from '../writer/quotas.js';
import { RESOURCE_SERVICES, type ResourceServices } from './resource-service.js';

/** The dependencies of writing resources, for the API, the data plane and the certificate worker. */
@Module({
  imports: [DeliveryModule, EventsModule, HttpModule, SecretsModule],
  providers: [
    {
      provide: RESOURCE_SERVICES,
      inject: [DATABASE, SecretStore, Dispatcher, EventRecorder, BaseUrl, CONFIG],
      useFactory: (
        db: Database,
        secrets: SecretStore,
        dispatcher: Dispatcher,
        recorder: EventRecorder,
        addresses: BaseUrl,
        config: Config,
      ): ResourceServices => {
        const quotas = new Quotas(config.QUOTAS ?? {});
        return { db, secrets, dispatcher, recorder, addresses, quotas };
      },
    },
  ],
  exports: [RESOURCE_SERVICES],
})
export class ResourceServicesModule {}
