import { z } from 'zod';

/** The first field of every module. */
export const enabled = z.boolean().default(true).meta({ description: 'Whether the module is applied to traffic.' });
