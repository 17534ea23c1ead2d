import { z } from 'zod';
import { bytes } from '../../../http/text.js';

/** Longest secret of a module, in bytes: the longest in use are keys in PEM. */
const MAX_BYTES = 4096;

/** A secret in a request: sealed and never returned. Left out or null, the stored secret is kept. */
export const secretInput = bytes(MAX_BYTES).min(1).nullable().default(null);

/** A secret in a response. */
export const secretResponse = z.null().meta({ description: 'Always null: secrets are never returned.' });
