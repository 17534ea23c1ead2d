import { z } from 'zod';
import { fieldForms } from '../form-schema.js';

/** How events become records: `one_event` in each, or several `packed` into one. */
export const recordModes = ['one_event', 'packed'] as const;

/** What a destination without the option has: the one before the option existed. */
export const DEFAULT_RECORD_MODE = 'one_event';

/** Returns the schema of the option `records`, with the description that clients see. */
export function recordsOption(description: string) {
  return z
    .enum(recordModes)
    .default(DEFAULT_RECORD_MODE)
    .describe(description)
    .register(fieldForms, { title: 'Records' });
}
