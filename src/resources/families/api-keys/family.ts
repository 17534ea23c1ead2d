import { defineFamily } from '../../framework/definition/family.js';
import { ApiKeyBehaviour } from './api-key-behaviour.js';
import { ApiKeyLimit } from './api-key-limit.js';
import { apiKey } from './api-key.js';

/** API keys. */
export const apiKeys = defineFamily({
  definition: apiKey,
  behaviour: { inject: [ApiKeyLimit], create: (limit) => new ApiKeyBehaviour(limit) },
});
