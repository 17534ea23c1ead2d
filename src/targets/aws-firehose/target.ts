import { awsTarget } from '../aws/target.js';
import { deliveryStreamConfig } from './config.js';
import { deliveryStreamLimits } from './encode.js';
import { deliveryStreamSender } from './send.js';

/** Amazon Data Firehose. */
export const deliveryStream = awsTarget({
  kind: 'delivery_stream',
  title: 'Amazon Data Firehose',
  limits: deliveryStreamLimits,
  config: deliveryStreamConfig,
  permissions: {
    actions: ['firehose:PutRecordBatch'],
    resource: { field: 'delivery_stream_arn', pattern: '^.+$', suffix: '' },
  },
  load: () => import('./client.js'),
  sender: (session, { records }) => deliveryStreamSender(session, records),
});
