import { TokenStore } from '../../../accounts/token-store.js';
import { apiKey } from './api-key.js';
import { ApiKeyBehaviour } from './api-key-behaviour.js';
import { defineFamily } from '../../framework/family.js';

/** API keys. */
export const apiKeys = defineFamily({
  definition: apiKey,
  behaviour: { inject: [TokenStore], create: (tokens) => new ApiKeyBehaviour(tokens) },
});
