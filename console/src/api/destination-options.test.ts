import { expect, it } from 'vitest';
import { destinationOptions } from './destination-options.js';

it('has the destinations by description and service, those without a description last', () => {
  const names = { log_group: 'CloudWatch Logs', monitoring: 'Datadog Logs' };
  const statuses = [
    { id: 'ed_1', description: null, target_kind: 'log_group' },
    { id: 'ed_2', description: 'team 10', target_kind: 'log_group' },
    { id: 'ed_3', description: 'team 9', target_kind: 'monitoring' },
    { id: 'ed_4', description: 'team 9', target_kind: 'log_group' },
  ] as const;
  const options = destinationOptions(statuses, (kind) => Object(names)[kind]);
  expect(options).toEqual([
    ['ed_4', 'team 9 · CloudWatch Logs (ed_4)'],
    ['ed_3', 'team 9 · Datadog Logs (ed_3)'],
    ['ed_2', 'team 10 · CloudWatch Logs (ed_2)'],
    ['ed_1', 'CloudWatch Logs (ed_1)'],
  ]);
});
