import { defineFamily } from '../../framework/definition/family.js';
import { FailoverBackendBehaviour } from './failover-backend-behaviour.js';
import { failoverBackend } from './failover-backend.js';

/** Failover backends. */
export const failoverBackends = defineFamily({
  definition: failoverBackend,
  behaviour: { create: () => new FailoverBackendBehaviour() },
});
