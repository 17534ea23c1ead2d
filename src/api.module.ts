import { type DynamicModule, Module, type ValueProvider } from '@nestjs/common';
import { CertificateJobs } from './certificates/certificate-jobs.js';
import { CONFIG, type Config } from './config/config.js';
import { DATABASE, type Database } from './database/database.js';
import type { DeliveryObserver } from './delivery/delivery-observer.js';
import { DeliveryViewStore } from './delivery/views/delivery-view-store.js';
import { Dispatcher } from './delivery/dispatch/dispatcher.js';
import { LaneStore } from './delivery/lanes/lane-store.js';
import { LaneViewStore } from './delivery/views/lane-view-store.js';
import { MAX_REDELIVERED, Redeliveries } from './delivery/redelivery/redeliveries.js';
import { RedeliveryStore } from './delivery/redelivery/redelivery-store.js';
import { EventDeliveriesController } from './events/event-deliveries.controller.js';
import { EventLog } from './events/event-log.js';
import { EventRecorder } from './events/event-recorder.js';
import { EventStore } from './events/event-store.js';
import { EventTypesController } from './events/event-types.controller.js';
import { EventsController } from './events/events.controller.js';
import { DestinationDeliveriesController } from './resources/families/event-destinations/destination-deliveries.controller.js';
import { DestinationDeliveries } from './resources/families/event-destinations/destination-deliveries.js';
import { DestinationTests } from './resources/families/event-destinations/destination-tests.js';
import { ResourcesModule } from './resources/resources.module.js';
import { SecretStore } from './secrets/secret-store.js';

/** What the API stands on. */
export interface ApiServices {
  readonly config: Config;
  readonly db: Database;
  readonly secrets: SecretStore;
  readonly lanes: LaneStore;
  readonly dispatcher: Dispatcher;
  readonly jobs: CertificateJobs;
  /** Absent where nothing is measured. */
  readonly observer?: DeliveryObserver;
}

const controllers = [
  EventsController,
  EventDeliveriesController,
  EventTypesController,
  DestinationDeliveriesController,
];

/** The role `api`: every route of the interface. `http/create-api.ts` adds what all of them share. */
@Module({})
export class ApiModule {
  /** Makes the module on open stores; nothing is read from them before the first request. */
  static with(services: ApiServices): DynamicModule {
    const { config, db, secrets, lanes, dispatcher, jobs, observer } = services;
    const recorder = new EventRecorder();
    const views = new DeliveryViewStore(db);
    const laneViews = new LaneViewStore(db);
    const redeliveries = new Redeliveries(new RedeliveryStore(db), dispatcher, MAX_REDELIVERED, observer);
    return ApiModule.of([
      { provide: CONFIG, useValue: config },
      { provide: DATABASE, useValue: db },
      { provide: SecretStore, useValue: secrets },
      { provide: LaneStore, useValue: lanes },
      { provide: Dispatcher, useValue: dispatcher },
      { provide: CertificateJobs, useValue: jobs },
      { provide: EventRecorder, useValue: recorder },
      { provide: EventLog, useValue: new EventLog(new EventStore(db), views) },
      {
        provide: DestinationDeliveries,
        useValue: new DestinationDeliveries({ lanes: laneViews, views, redeliveries }),
      },
      {
        provide: DestinationTests,
        useValue: new DestinationTests({ db, recorder, dispatcher, views, lanes: laneViews }),
      },
    ]);
  }

  /** The same routes with nothing behind them: to be described, not to be called. */
  static forDocumentation(): DynamicModule {
    const tokens = [
      CONFIG,
      DATABASE,
      SecretStore,
      LaneStore,
      Dispatcher,
      CertificateJobs,
      EventRecorder,
      EventLog,
      DestinationDeliveries,
      DestinationTests,
    ];
    return ApiModule.of(tokens.map((provide) => ({ provide, useValue: {} })));
  }

  private static of(providers: ValueProvider[]): DynamicModule {
    return {
      module: ApiModule,
      global: true,
      imports: [ResourcesModule],
      controllers,
      providers,
      exports: providers.map(({ provide }) => provide),
    };
  }
}
