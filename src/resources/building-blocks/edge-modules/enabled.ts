import { z } from 'zod';

/** What every module starts with: whether it is applied to traffic. */
export const enabled = z
  .boolean()
  .default(true)
  .meta({ description: 'Whether the module is applied to traffic.' });
