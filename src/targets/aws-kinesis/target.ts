import { AUTH_SECRET_FIELD } from '../aws/auth.js';
import { awsConnection } from '../aws/connection.js';
import type { Target } from '../target.js';
import { type DataStreamConfig, dataStreamAddress, dataStreamConfig } from './config.js';
import { dataStreamLimits } from './encode.js';
import { dataStreamSender } from './send.js';

/** Amazon Kinesis Data Streams. */
export const dataStream: Target<DataStreamConfig> = {
  kind: 'data_stream',
  title: 'Kinesis Data Streams',
  limits: dataStreamLimits,
  config: dataStreamConfig,
  secretFields: [AUTH_SECRET_FIELD],
  credentials: ['auth'],
  permissions: { actions: ['kinesis:PutRecords'], resource: { field: 'stream_arn', pattern: '^.+$', suffix: '' } },
  loadClient: async () => {
    await import('./client.js');
  },
  connect: (config, context) => {
    const address = dataStreamAddress(config.stream_arn);
    if (!address) throw new TypeError('The configuration of the data stream has not been validated.');
    return awsConnection(
      async () => {
        const { openDataStream } = await import('./client.js');
        return openDataStream(config, address.region, context);
      },
      (session) => dataStreamSender(session, config.records),
      context.settings.sendTimeoutMs,
    );
  },
};
