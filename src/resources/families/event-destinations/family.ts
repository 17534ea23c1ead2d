import { TargetClients } from '../../../delivery/attempts/target-clients.js';
import { Dispatcher } from '../../../delivery/dispatch/dispatcher.js';
import { LaneStore } from '../../../delivery/lanes/lane-store.js';
import { defineFamily } from '../../framework/definition/family.js';
import { EventDestinationBehaviour } from './event-destination-behaviour.js';
import { eventDestination } from './event-destination.js';

/** Event destinations. */
export const eventDestinations = defineFamily({
  definition: eventDestination,
  behaviour: {
    inject: [LaneStore, Dispatcher, TargetClients],
    create: (lanes, dispatcher, clients) => new EventDestinationBehaviour(lanes, dispatcher, clients),
  },
});
