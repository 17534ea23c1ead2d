import { defineFamily } from '../../framework/definition/family.js';
import { httpResponseBackend } from './http-response-backend.js';

/** HTTP-response backends. */
export const httpResponseBackends = defineFamily({ definition: httpResponseBackend });
