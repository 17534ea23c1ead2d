import { type DynamicModule, Module } from '@nestjs/common';
import { TokenStore } from './accounts/token-store.js';
import type { ScheduleCheck } from './certificates/certificate-holders.js';
import type { Config } from './config/config.js';
import type { Database } from './database/database.js';
import type { DeliveryObserver } from './delivery/delivery-observer.js';
import { DeliveryViewStore } from './delivery/views/delivery-view-store.js';
import type { Dispatcher } from './delivery/dispatch/dispatcher.js';
import type { LaneStore } from './delivery/lanes/lane-store.js';
import { LaneViewStore } from './delivery/views/lane-view-store.js';
import { MAX_REDELIVERED, Redeliveries } from './delivery/redelivery/redeliveries.js';
import { RedeliveryStore } from './delivery/redelivery/redelivery-store.js';
import { EventCatalogue } from './events/event-catalogue.js';
import { EventDeliveriesController } from './events/event-deliveries.controller.js';
import { EventLog } from './events/event-log.js';
import { EventRecorder } from './events/event-recorder.js';
import { EventTypesController } from './events/event-types.controller.js';
import { EventsController } from './events/events.controller.js';
import { DestinationDeliveriesController } from './resources/families/event-destinations/destination-deliveries.controller.js';
import { DestinationDeliveries } from './resources/families/event-destinations/destination-deliveries.js';
import { DestinationTests } from './resources/families/event-destinations/destination-tests.js';
import { eventCatalogue } from './resources/event-types.js';
import { ResourcesModule } from './resources/resources.module.js';
import type { SecretStore } from './secrets/secret-store.js';

/** What the API stands on. */
export interface ApiServices {
  readonly config: Config;
  readonly db: Database;
  readonly secrets: SecretStore;
  readonly lanes: LaneStore;
  readonly dispatcher: Dispatcher;
  readonly scheduleCheck: ScheduleCheck;
  /** Absent where nothing is measured. */
  readonly observer?: DeliveryObserver;
}

const controllers = [
  EventsController,
  EventDeliveriesController,
  EventTypesController,
  DestinationDeliveriesController,
];
const catalogue = { provide: EventCatalogue, useValue: eventCatalogue };

/** The role `api`: every route of the interface. `http/create-api.ts` adds what all of them share. */
@Module({})
export class ApiModule {
  /** Makes the module on open stores; nothing is read from them before the first request. */
  static with(services: ApiServices): DynamicModule {
    const { config, db, secrets, lanes, dispatcher, scheduleCheck, observer } = services;
    const recorder = new EventRecorder();
    const resourceServices = { db, secrets, dispatcher, recorder };
    const views = new DeliveryViewStore(db);
    const laneViews = new LaneViewStore(db);
    const redeliveries = new Redeliveries(new RedeliveryStore(db), dispatcher, MAX_REDELIVERED, observer);
    const behaviourServices = {
      config,
      tokens: new TokenStore(db),
      lanes,
      dispatcher,
      catalogue: eventCatalogue,
      scheduleCheck,
    };
    return {
      module: ApiModule,
      imports: [ResourcesModule.with(resourceServices, behaviourServices)],
      controllers,
      providers: [
        { provide: EventLog, useValue: new EventLog(db, views) },
        {
          provide: DestinationDeliveries,
          useValue: new DestinationDeliveries({ lanes: laneViews, views, redeliveries }),
        },
        {
          provide: DestinationTests,
          useValue: new DestinationTests({ db, recorder, dispatcher, views, lanes: laneViews }),
        },
        catalogue,
      ],
    };
  }

  /** The same routes with nothing behind them: to be described, not to be called. */
  static forDocumentation(): DynamicModule {
    return {
      module: ApiModule,
      imports: [ResourcesModule.forDocumentation()],
      controllers,
      providers: [
        { provide: EventLog, useValue: {} },
        { provide: DestinationDeliveries, useValue: {} },
        { provide: DestinationTests, useValue: {} },
        catalogue,
      ],
    };
  }
}
