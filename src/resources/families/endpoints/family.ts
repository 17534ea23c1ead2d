import { defineFamily } from '../../framework/definition/family.js';
import { CloudEndpointBehaviour } from './endpoint-behaviour.js';
import { endpoint } from './endpoint.js';

/** Endpoints. */
export const endpoints = defineFamily({
  definition: endpoint,
  behaviour: { create: () => new CloudEndpointBehaviour() },
});
