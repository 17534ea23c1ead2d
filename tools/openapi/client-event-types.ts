import type { ApiDocument } from './api-document.js';

/** Makes the list of built-in event types of `@waybill/client`: those that `BuiltInEventPayload` tells apart. */
export function makeClientEventTypes({ components }: ApiDocument): string {
  const types = Object.keys(components.schemas.BuiltInEventPayload.discriminator.mapping);
  return `// Generated from docs/openapi.json by "npm run generate".

import type { BuiltInEventPayload } from './types.js';

/** Every built-in event type. */
export const builtInEventTypes: readonly BuiltInEventPayload['event_type'][] = [
${types.map((type) => `  '${type}',`).join('\n')}
];
`;
}
