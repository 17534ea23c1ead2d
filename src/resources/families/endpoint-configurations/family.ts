import { defineFamily } from '../../framework/definition/family.js';
import { endpointConfiguration } from './endpoint-configuration.js';

/** Endpoint configurations. */
export const endpointConfigurations = defineFamily({ definition: endpointConfiguration });
