import { z } from 'zod';
import { boundedString } from '../../../bounds/bounded.js';
import { ref } from '../../framework/definition/fields.js';
import { defineModule } from '../../framework/definition/modules.js';
import { backendKinds } from '../kinds.js';
import { enabled } from './enabled.js';

/** The backend that receives the traffic of an edge or route. */
export const backendModule = defineModule({
  name: 'backend',
  title: 'backend',
  input: z.strictObject({
    enabled,
    backend_id: boundedString(255).meta({ description: 'Id of the backend. Any kind of backend.' }),
  }),
  read: z
    .object({ enabled, backend: ref })
    .meta({ id: 'BackendModule', description: 'Backend that receives the traffic.' }),
  links: [{ field: 'backend_id', as: 'backend', to: backendKinds }],
});
