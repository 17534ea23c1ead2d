import type { Family } from '../../framework/family.js';
import { endpointConfiguration } from './endpoint-configuration.js';

/** Endpoint configurations. */
export const endpointConfigurations = { definition: endpointConfiguration } satisfies Family;
