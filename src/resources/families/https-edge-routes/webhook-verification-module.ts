import { z } from 'zod';
import { enabled } from '../../building-blocks/edge-modules/enabled.js';
import { defineModule } from '../../framework/modules.js';
import { secretInput, secretShown } from './secret-field.js';
import { providerWithoutSecret, webhookProviders } from './webhook-providers.js';

const provider = z
  .enum(webhookProviders)
  .meta({ description: 'Who sends the webhooks that arrive here.', example: 'github' });

/** Webhooks that are let through only when their sender's signature is right. */
export const webhookVerificationModule = defineModule({
  name: 'webhook_verification',
  title: 'webhook verification',
  input: z.strictObject({
    enabled,
    provider,
    secret: secretInput.meta({
      description: `Validates what the provider sends. Required for every provider but ${providerWithoutSecret}.`,
    }),
  }),
  read: z.object({ enabled, provider, secret: secretShown }).meta({
    id: 'WebhookVerificationModule',
    description: 'Lets only those webhooks through whose signature shows that the provider sent them.',
  }),
  secrets: [
    {
      path: 'secret',
      required: (module) => module.provider !== providerWithoutSecret,
      boundTo: ['provider'],
    },
  ],
});
