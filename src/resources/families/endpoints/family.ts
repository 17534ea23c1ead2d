import { defineFamily } from '../../framework/family.js';
import { endpoint } from './endpoint.js';
import { CloudEndpointBehaviour } from './endpoint-behaviour.js';

/** Endpoints. */
export const endpoints = defineFamily({
  definition: endpoint,
  behaviour: { create: () => new CloudEndpointBehaviour() },
});
