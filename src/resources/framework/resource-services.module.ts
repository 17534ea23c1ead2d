import { Module } from '@nestjs/common';
import { DATABASE, type Database } from '../../database/database.js';
import { DeliveryModule } from '../../delivery/delivery.module.js';
import { Dispatcher } from '../../delivery/dispatch/dispatcher.js';
import { EventRecorder } from '../../events/event-recorder.js';
import { EventsModule } from '../../events/events.module.js';
import { SecretStore } from '../../secrets/secret-store.js';
import { SecretsModule } from '../../secrets/secrets.module.js';
import { RESOURCE_SERVICES, type ResourceServices } from './resource-service.js';

/** The dependencies of writing resources, for the API, the data plane and the certificate worker. */
@Module({
  imports: [DeliveryModule, EventsModule, SecretsModule],
  providers: [
    {
      provide: RESOURCE_SERVICES,
      inject: [DATABASE, SecretStore, Dispatcher, EventRecorder],
      useFactory: (
        db: Database,
        secrets: SecretStore,
        dispatcher: Dispatcher,
        recorder: EventRecorder,
      ): ResourceServices => ({ db, secrets, dispatcher, recorder }),
    },
  ],
  exports: [RESOURCE_SERVICES],
})
export class ResourceServicesModule {}
