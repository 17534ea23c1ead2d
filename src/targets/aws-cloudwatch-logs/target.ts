import { awsTarget } from '../aws/target.js';
import { logGroupConfig } from './config.js';
import { logGroupLimits } from './encode.js';
import { logGroupSender } from './send.js';

/** Amazon CloudWatch Logs. */
export const logGroup = awsTarget({
  kind: 'log_group',
  title: 'CloudWatch Logs',
  limits: logGroupLimits,
  config: logGroupConfig,
  permissions: {
    actions: ['logs:CreateLogStream', 'logs:PutLogEvents'],
    resource: { field: 'log_group_arn', pattern: '^.+:log-group:[^:]+', suffix: ':*' },
  },
  load: () => import('./client.js'),
  sender: (session, _config, latestTimestampMs) => logGroupSender(session, latestTimestampMs),
});
