import { z } from 'zod';
import { enabled } from '../../building-blocks/edge-modules/enabled.js';
import { defineModule } from '../../framework/definition/modules.js';

/** Compression of responses for clients that accept it. */
export const compressionModule = defineModule({
  name: 'compression',
  title: 'compression',
  input: z.strictObject({ enabled }),
  read: z
    .object({ enabled })
    .meta({ id: 'CompressionModule', description: 'Compresses responses for clients that accept it.' }),
});
