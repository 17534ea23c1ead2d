import { defineFamily } from '../../framework/family.js';
import { failoverBackend } from './failover-backend.js';
import { FailoverBackendBehaviour } from './failover-backend-behaviour.js';

/** Failover backends. */
export const failoverBackends = defineFamily({
  definition: failoverBackend,
  behaviour: { create: () => new FailoverBackendBehaviour() },
});
