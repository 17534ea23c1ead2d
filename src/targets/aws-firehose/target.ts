import { AUTH_SECRET_FIELD } from '../aws/auth.js';
import { awsConnection } from '../aws/connection.js';
import type { Target } from '../target.js';
import { type DeliveryStreamConfig, deliveryStreamAddress, deliveryStreamConfig } from './config.js';
import { deliveryStreamLimits } from './encode.js';
import { deliveryStreamSender } from './send.js';

/** Amazon Data Firehose. */
export const deliveryStream: Target<DeliveryStreamConfig> = {
  kind: 'delivery_stream',
  title: 'Amazon Data Firehose',
  limits: deliveryStreamLimits,
  config: deliveryStreamConfig,
  secretFields: [AUTH_SECRET_FIELD],
  credentials: ['auth'],
  permissions: {
    actions: ['firehose:PutRecordBatch'],
    resource: { field: 'delivery_stream_arn', pattern: '^.+$', suffix: '' },
  },
  loadClient: async () => {
    await import('./client.js');
  },
  connect: (config, context) => {
    const address = deliveryStreamAddress(config.delivery_stream_arn);
    if (!address) throw new TypeError('The configuration of the delivery stream has not been validated.');
    return awsConnection(
      async () => {
        const { openDeliveryStream } = await import('./client.js');
        return openDeliveryStream(config, address, context);
      },
      (session) => deliveryStreamSender(session, config.records),
      context.settings.sendTimeoutMs,
    );
  },
};
