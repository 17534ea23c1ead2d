import type { Family } from '../../framework/family.js';
import { failoverBackend } from './failover-backend.js';
import { FailoverBackendBehaviour } from './failover-backend-behaviour.js';

/** Failover backends. */
export const failoverBackends = {
  definition: failoverBackend,
  behaviour: () => new FailoverBackendBehaviour(),
} satisfies Family;
