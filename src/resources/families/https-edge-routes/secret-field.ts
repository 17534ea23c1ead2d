import { boundedBytes } from '../../../bounds/bounded.js';

/** Longest secret of a module, in bytes: the longest in use are keys in PEM. */
const MAX_BYTES = 4096;

/** A secret in a request: sealed and never returned. Left out or null, the stored secret is kept. */
export const secretInput = boundedBytes(MAX_BYTES).min(1).nullable().default(null).meta({ writeOnly: true });
