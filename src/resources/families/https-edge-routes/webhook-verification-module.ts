import { z } from 'zod';
import { secretResponse } from '../../framework/definition/fields.js';
import { defineModule } from '../../framework/definition/modules.js';
import { secretInput } from './module-fields.js';
import { providerWithoutSecret, webhookProviders } from './webhook-providers.js';

const provider = z.enum(webhookProviders).meta({ description: 'Provider that sends the webhooks.', example: 'github' });

/** Verification of the signatures of webhooks. */
export const webhookVerificationModule = defineModule({
  name: 'webhook_verification',
  title: 'webhook verification',
  description: 'Rejects webhooks that do not have a valid signature of the provider.',
  input: {
    provider,
    secret: secretInput.meta({
      description: `Secret that validates requests from the provider. Required for every provider except ${providerWithoutSecret}.`,
    }),
  },
  read: { provider, secret: secretResponse },
  secrets: [
    {
      path: 'secret',
      required: (module) => module.provider !== providerWithoutSecret,
      keptWhileUnchanged: ['provider'],
    },
  ],
});
