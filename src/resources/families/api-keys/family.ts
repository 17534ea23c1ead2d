import { apiKey } from './api-key.js';
import { ApiKeyBehaviour } from './api-key-behaviour.js';
import type { Family } from '../../framework/family.js';

/** API keys. */
export const apiKeys = {
  definition: apiKey,
  behaviour: ({ tokens }) => new ApiKeyBehaviour(tokens),
} satisfies Family;
