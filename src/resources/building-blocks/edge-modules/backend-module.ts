import { z } from 'zod';
import { backendKinds } from '../../families/failover-backends/failover-backend.js';
import { ref } from '../../framework/fields.js';
import { defineModule } from '../../framework/modules.js';
import { enabled } from './enabled.js';

/** Where the traffic of an edge or route goes. */
export const backendModule = defineModule({
  name: 'backend',
  title: 'backend',
  input: z.strictObject({
    enabled,
    backend_id: z.string().max(255).meta({ description: 'The backend: of any family of backends.' }),
  }),
  read: z
    .object({ enabled, backend: ref })
    .meta({ id: 'BackendModule', description: 'Where the traffic goes.' }),
  links: [{ field: 'backend_id', as: 'backend', to: backendKinds }],
});
