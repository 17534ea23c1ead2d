import {
  CloudWatchLogsClient,
  CreateLogStreamCommand,
  PutLogEventsCommand,
  type InputLogEvent,
} from '@aws-sdk/client-cloudwatch-logs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox-contract.js';
import { startSandbox } from '../start-sandbox.js';
import { clientSettings } from './testing.js';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

const place = (group: string) => ({ logGroupName: group, logStreamName: 'waybill/evd_1' });

describe('the CloudWatch Logs protocol', () => {
  let sandbox: Sandbox;
  let client: CloudWatchLogsClient;

  beforeAll(async () => {
    sandbox = await startSandbox();
    client = new CloudWatchLogsClient(clientSettings(sandbox));
  });

  afterEach(() => sandbox.clear());

  afterAll(async () => {
    client.destroy();
    await sandbox.close();
  });

  const create = (group = '/audit') => client.send(new CreateLogStreamCommand(place(group)));
  const put = (events: InputLogEvent[], group = '/audit') =>
    client.send(new PutLogEventsCommand({ ...place(group), logEvents: events }));
  const bodies = () => sandbox.received({ target: 'log_group' }).map(({ body }) => body);

  it('refuses events before the log stream is created, and accepts them afterwards', async () => {
    const event = { timestamp: Date.now(), message: '{"name":"ü"}' };
    await expect(put([event])).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: 'The specified log stream does not exist.',
    });
    await create();
    const response = await put([event]);
    expect(response.rejectedLogEventsInfo).toBeUndefined();
    expect(sandbox.received()).toMatchObject([
      {
        address: '/audit/waybill/evd_1',
        body: event.message,
        attributes: `{"timestamp":${event.timestamp}}`,
      },
    ]);
  });

  it('refuses to create a log stream twice', async () => {
    await create();
    await expect(create()).rejects.toMatchObject({ name: 'ResourceAlreadyExistsException' });
  });

  it('has no group with the name /missing', async () => {
    await expect(create('/missing')).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
    await expect(put([{ timestamp: Date.now(), message: 'a' }], '/missing')).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
      message: 'The specified log group does not exist.',
    });
  });

  it('rejects events out of the window one by one and takes the rest', async () => {
    await create();
    const now = Date.now();
    const old = await put([
      { timestamp: now - 14 * DAY_MS - HOUR_MS, message: 'older' },
      { timestamp: now - 14 * DAY_MS - 1, message: 'old' },
      { timestamp: now - 14 * DAY_MS + HOUR_MS, message: 'just in time' },
    ]);
    expect(old.rejectedLogEventsInfo).toEqual({ tooOldLogEventEndIndex: 2 });
    const ahead = await put([
      { timestamp: now + 3 * HOUR_MS, message: 'new' },
      { timestamp: now + 4 * HOUR_MS, message: 'newer' },
    ]);
    expect(ahead.rejectedLogEventsInfo).toEqual({ tooNewLogEventStartIndex: 0 });
    expect(bodies()).toEqual(['just in time']);
  });

  const now = Date.now();
  const message = 'a'.repeat(1_048_576 - 26);
  it.each([
    ['no events', [], 'ValidationException'],
    ['an empty message', [{ timestamp: now, message: '' }], 'ValidationException'],
    ['10,001 events', Array.from({ length: 10_001 }, () => ({ timestamp: now, message: 'a' })), 'ValidationException'],
    [
      'more than 1 MiB with 26 bytes for each event',
      [{ timestamp: now, message: `${message}a` }],
      'InvalidParameterException',
    ],
    [
      'events that are not in order',
      [
        { timestamp: now, message: 'a' },
        { timestamp: now - 1, message: 'b' },
      ],
      'InvalidParameterException',
    ],
    [
      'a span of more than 24 hours',
      [
        { timestamp: now - DAY_MS - 1, message: 'a' },
        { timestamp: now, message: 'b' },
      ],
      'InvalidParameterException',
    ],
  ])('refuses %s', async (_, events, error) => {
    await create();
    await expect(put(events)).rejects.toMatchObject({ name: error, $metadata: { httpStatusCode: 400 } });
    expect(bodies()).toEqual([]);
  });

  it('takes 1 MiB with 26 bytes for each event, 10,000 events, and a span of 24 hours', async () => {
    await create();
    await put([{ timestamp: now, message }]);
    await put(Array.from({ length: 10_000 }, () => ({ timestamp: now, message: 'a' })));
    await put([
      { timestamp: now - DAY_MS, message: 'a' },
      { timestamp: now, message: 'b' },
    ]);
    expect(sandbox.receivedCounts()).toMatchObject([{ target: 'log_group', events: 10_003 }]);
  });
});
