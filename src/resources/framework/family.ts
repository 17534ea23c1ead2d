import type { Type } from '@nestjs/common';
import type { TokenStore } from '../../accounts/token-store.js';
import type { ScheduleCheck } from '../../certificates/certificate-holders.js';
import type { Config } from '../../config/config.js';
import type { Dispatcher } from '../../delivery/dispatch/dispatcher.js';
import type { LaneStore } from '../../delivery/lanes/lane-store.js';
import type { EventCatalogue } from '../../events/event-catalogue.js';
import type { ResourceBehaviour } from './behaviour.js';
import type { ResourceDefinition } from './definition.js';

/** What a family's behaviour may work with. */
export interface BehaviourServices {
  readonly config: Config;
  readonly tokens: TokenStore;
  readonly lanes: LaneStore;
  readonly dispatcher: Dispatcher;
  readonly catalogue: EventCatalogue;
  /** For resources with managed certificates. */
  readonly scheduleCheck: ScheduleCheck;
}

/** A family as it is registered: its definition, and what it does beside the ordinary. */
export interface Family<Definition extends ResourceDefinition = ResourceDefinition> {
  readonly definition: Definition;
  readonly behaviour?: (services: BehaviourServices) => ResourceBehaviour;
  /** Controllers for operations beside create, list, get, update and delete. */
  readonly controllers?: readonly Type[];
}
