import { apiKey } from './api-key.js';
import { ApiKeyBehaviour } from './api-key-behaviour.js';
import { defineFamily } from '../../framework/family.js';

/** API keys. */
export const apiKeys = defineFamily({
  definition: apiKey,
  behaviour: { create: () => new ApiKeyBehaviour() },
});
