import { RETENTION } from '../config/retention.js';
import { DATABASE } from '../database/database.js';
import { RetentionMarks } from '../database/partitions/retention-marks.js';
import { STORE } from '../database/store.js';
import { DELIVERY_OBSERVER } from '../delivery/delivery-observer.js';
import { Dispatcher } from '../delivery/dispatch/dispatcher.js';
import { RECORD_MARKERS } from '../delivery/recovery/epoch-starts.js';
import { RATE_ENFORCER } from '../http/rate-limit/enforce.js';
import { REQUEST_OBSERVER } from '../http/request/request-observer.js';
import { opened } from '../lifecycle/lifecycle.js';
import { provide, tokenOf } from '../lifecycle/provide.js';
import { LOGGER } from '../logging/logger.js';
import type { MaintenanceTask } from '../maintenance/maintenance.js';
import { rowPruning } from '../maintenance/row-pruning.js';
import { EventCatalogue } from './catalogue/event-catalogue.js';
import { EventTypesController } from './catalogue/event-types.controller.js';
import { recordEpochMarkers } from './fan-out/epoch-markers.js';
import { EventRecorder } from './fan-out/event-recorder.js';
import { fanOutLimits } from './fan-out/fan-out-statement.js';
import { EventSearchStore } from './log/event-search-store.js';
import { EventSearch } from './log/event-search.js';
import { EventsController } from './log/events.controller.js';
import { RetentionController } from './log/retention.controller.js';
import { PublishedResourceStore } from './publishing/published-resource-store.js';
import { Publisher } from './publishing/publisher.js';
import { ResourceTypeStore } from './resource-types/resource-type-store.js';
import { ObjectSchemas } from './resource-types/schemas/object-schemas.js';
import { PruneStore } from './retention/prune-store.js';
import { Pruner } from './retention/pruner.js';
import { EventPreviewController } from './rules/event-preview.controller.js';
import { PayloadSchemas } from './rules/payload-schemas.js';
import { UnevaluatedFilters } from './rules/unevaluated-filters.js';

/** The injection token of the task that removes published resources of deleted types, and those deleted long ago. */
export const PUBLISHED_RESOURCE_PRUNING = tokenOf<MaintenanceTask>('PublishedResourcePruning');

/** The routes of events, of their types, and of previews of sources. */
export const eventControllers = [EventsController, EventTypesController, EventPreviewController, RetentionController];

/** The recording, the publishing and the search of events. */
export const eventProviders = [
  provide(RECORD_MARKERS, [], () => recordEpochMarkers),
  provide(UnevaluatedFilters, [LOGGER, DELIVERY_OBSERVER]),
  provide(EventRecorder, [UnevaluatedFilters], (filters) => new EventRecorder(fanOutLimits, filters.sent)),
  opened(
    'dispatch',
    provide(ObjectSchemas, [], () => new ObjectSchemas()),
    (schemas) => schemas.close(),
  ),
  provide(EventSearchStore, [DATABASE]),
  provide(EventSearch, {
    store: EventSearchStore,
    marks: RetentionMarks,
    catalogue: EventCatalogue,
    types: ResourceTypeStore,
  }),
  provide(ResourceTypeStore, [STORE], (store) => {
    const types = new ResourceTypeStore(store.db);
    store.onServerStart(() => types.forget());
    return types;
  }),
  provide(PayloadSchemas, [EventCatalogue, ResourceTypeStore]),
  provide(
    Publisher,
    {
      db: DATABASE,
      types: ResourceTypeStore,
      schemas: ObjectSchemas,
      dispatcher: Dispatcher,
      rates: RATE_ENFORCER,
      observer: REQUEST_OBSERVER,
      filters: UnevaluatedFilters,
    },
    ({ filters, ...parts }) => new Publisher({ ...parts, report: filters.sent }),
  ),
  provide(PruneStore, [DATABASE]),
  provide(Pruner, [PruneStore, RETENTION, LOGGER]),
  provide(PublishedResourceStore, [DATABASE]),
  provide(PUBLISHED_RESOURCE_PRUNING, [PublishedResourceStore, LOGGER], (store, logger) =>
    rowPruning('prune_published_resources', 'pruned published resources', logger, (size) => store.prune(size)),
  ),
];
