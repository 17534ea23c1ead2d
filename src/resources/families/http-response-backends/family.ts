import type { Family } from '../../framework/family.js';
import { httpResponseBackend } from './http-response-backend.js';

/** HTTP-response backends. */
export const httpResponseBackends = { definition: httpResponseBackend } satisfies Family;
