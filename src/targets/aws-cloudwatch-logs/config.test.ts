import { describe, expect, it } from 'vitest';
import { logGroupAddress, logGroupConfig } from './config.js';

const ARN = 'arn:aws:logs:eu-west-1:123456789012:log-group:/waybill/audit';
const role = { role_arn: 'arn:aws:iam::123456789012:role/events' };
const paths = (input: unknown): string[] =>
  logGroupConfig.safeParse(input).error?.issues.map(({ path }) => path.join('.')) ?? [];

describe('the configuration of a log group', () => {
  it.each([
    ['the group', ARN, null],
    ['the group and all its streams', `${ARN}:*`, null],
    ['the group and any stream', `${ARN}:log-stream:*`, null],
    ['one stream of the group', `${ARN}:log-stream:from/waybill`, 'from/waybill'],
  ])('takes an ARN of %s', (_, text, stream) => {
    expect(paths({ auth: { role }, log_group_arn: text })).toEqual([]);
    expect(logGroupAddress(text)).toMatchObject({ group: '/waybill/audit', region: 'eu-west-1', stream });
  });

  it.each([
    ['a group without a name', 'arn:aws:logs:eu-west-1:123456789012:log-group:'],
    ['a stream without a name', `${ARN}:log-stream:`],
    ['something behind the star', `${ARN}:*:more`],
    ['a destination of logs', 'arn:aws:logs:eu-west-1:123456789012:destination:a'],
    ['a name with characters that the vendor does not take', `${ARN}$`],
  ])('refuses %s', (_, text) => {
    expect(paths({ auth: { role }, log_group_arn: text })).toEqual(['log_group_arn']);
  });

  it('refuses a role of another account, where the group’s namesake would be written to', () => {
    const other = { role_arn: 'arn:aws:iam::210987654321:role/a' };
    expect(paths({ auth: { role: other }, log_group_arn: ARN })).toEqual(['auth.role.role_arn']);
  });
});
