import { boundedString } from '../../../bounds/bounded.js';
import { ref } from '../../framework/definition/fields.js';
import { defineModule } from '../../framework/definition/modules.js';
import { backendKinds } from '../kinds.js';

/** The backend that receives the traffic of an edge or route. */
export const backendModule = defineModule({
  name: 'backend',
  title: 'backend',
  description: 'Backend that receives the traffic.',
  input: { backend_id: boundedString(255).meta({ description: 'Id of the backend. Any kind of backend.' }) },
  read: { backend: ref },
  links: [{ field: 'backend_id', as: 'backend', to: backendKinds }],
});
