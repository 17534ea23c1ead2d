import { AUTH_SECRET_FIELD } from '../aws/auth.js';
import { awsConnection } from '../aws/connection.js';
import type { Target } from '../target.js';
import { type LogGroupConfig, logGroupAddress, logGroupConfig } from './config.js';
import { logGroupLimits } from './encode.js';
import { logGroupSender } from './send.js';

/** Amazon CloudWatch Logs. */
export const logGroup: Target<LogGroupConfig> = {
  kind: 'log_group',
  title: 'CloudWatch Logs',
  limits: logGroupLimits,
  config: logGroupConfig,
  secretFields: [AUTH_SECRET_FIELD],
  credentials: ['auth'],
  permissions: {
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resource: { field: 'log_group_arn', pattern: '^.+:log-group:[^:]+', suffix: ':*' },
  },
  loadClient: async () => {
    await import('./client.js');
  },
  connect: (config, context) => {
    const address = logGroupAddress(config.log_group_arn);
    if (!address) throw new TypeError('The configuration of the log group has not been validated.');
    return awsConnection(
      async () => {
        const { openLogStream } = await import('./client.js');
        return openLogStream(config, address, context);
      },
      logGroupSender,
      context.settings.sendTimeoutMs,
    );
  },
};
