import type { Family } from '../../framework/family.js';
import { endpoint } from './endpoint.js';
import { CloudEndpointBehaviour } from './endpoint-behaviour.js';

/** Endpoints. */
export const endpoints = {
  definition: endpoint,
  behaviour: () => new CloudEndpointBehaviour(),
} satisfies Family;
