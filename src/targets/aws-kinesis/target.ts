import { awsTarget } from '../aws/target.js';
import { dataStreamConfig } from './config.js';
import { dataStreamLimits } from './encode.js';
import { dataStreamSender } from './send.js';

/** Amazon Kinesis Data Streams. */
export const dataStream = awsTarget({
  kind: 'data_stream',
  title: 'Kinesis Data Streams',
  limits: dataStreamLimits,
  config: dataStreamConfig,
  permissions: { actions: ['kinesis:PutRecords'], resource: { field: 'stream_arn', pattern: '^.+$', suffix: '' } },
  load: () => import('./client.js'),
  sender: (session, { records }) => dataStreamSender(session, records),
});
