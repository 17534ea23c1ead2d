import { defineFamily } from '../../framework/family.js';
import { endpointConfiguration } from './endpoint-configuration.js';

/** Endpoint configurations. */
export const endpointConfigurations = defineFamily({ definition: endpointConfiguration });
