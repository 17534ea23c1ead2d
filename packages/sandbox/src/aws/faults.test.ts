import { CloudWatchLogsClient, CreateLogStreamCommand, PutLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { FirehoseClient, PutRecordBatchCommand } from '@aws-sdk/client-firehose';
import { KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import { NodeHttpHandler } from '@smithy/node-http-handler';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Sandbox } from '../sandbox-contract.js';
import { startSandbox } from '../start-sandbox.js';
import { clientSettings } from './testing.js';

const STREAM = 'arn:aws:kinesis:eu-west-1:123456789012:stream/audit';

/** What each fault looks like to the SDK's user: the name of the error and the status of the call. */
const errors = {
  delivery_stream: {
    throttle: ['ServiceUnavailableException', 503],
    deny: ['AccessDeniedException', 400],
    not_found: ['ResourceNotFoundException', 400],
    too_large: ['InvalidArgumentException', 400],
    malformed: ['ValidationException', 400],
    expired: ['ExpiredTokenException', 400],
    unavailable: ['SyntaxError', 503],
  },
  data_stream: {
    throttle: ['ProvisionedThroughputExceededException', 400],
    deny: ['AccessDeniedException', 400],
    not_found: ['ResourceNotFoundException', 400],
    too_large: ['InvalidArgumentException', 400],
    malformed: ['ValidationException', 400],
    expired: ['ExpiredTokenException', 400],
    unavailable: ['SyntaxError', 503],
  },
  log_group: {
    throttle: ['ThrottlingException', 400],
    deny: ['AccessDeniedException', 400],
    not_found: ['ResourceNotFoundException', 400],
    too_large: ['InvalidParameterException', 400],
    malformed: ['InvalidParameterException', 400],
    expired: ['ExpiredTokenException', 400],
    unavailable: ['SyntaxError', 503],
    partial: ['ServiceUnavailableException', 500],
  },
} as const;

describe('a fault of an AWS target, seen through its SDK', () => {
  let sandbox: Sandbox;
  let put: Record<keyof typeof errors, () => Promise<unknown>>;
  let stop: () => void;

  beforeAll(async () => {
    sandbox = await startSandbox();
    const settings = clientSettings(sandbox);
    const firehose = new FirehoseClient(settings);
    const kinesis = new KinesisClient({ ...settings, requestHandler: new NodeHttpHandler() });
    const logs = new CloudWatchLogsClient(settings);
    const place = { logGroupName: '/audit', logStreamName: 'waybill' };
    const data = Buffer.from('a');
    put = {
      delivery_stream: () =>
        firehose.send(new PutRecordBatchCommand({ DeliveryStreamName: 'audit', Records: [{ Data: data }] })),
      data_stream: () =>
        kinesis.send(new PutRecordsCommand({ StreamARN: STREAM, Records: [{ Data: data, PartitionKey: 'k' }] })),
      log_group: () =>
        logs.send(new PutLogEventsCommand({ ...place, logEvents: [{ timestamp: Date.now(), message: 'a' }] })),
    };
    await logs.send(new CreateLogStreamCommand(place));
    stop = () => {
      for (const client of [firehose, kinesis, logs]) client.destroy();
    };
  });

  afterAll(async () => {
    stop();
    await sandbox.close();
  });

  const cases = Object.entries(errors).flatMap(([target, kinds]) =>
    Object.entries(kinds).map(([kind, [name, status]]) => ({ target, kind, name, status })),
  );

  it.each(cases)('$target returns $kind with $name and $status', async ({ target, kind, name, status }) => {
    const response = await fetch(`${sandbox.url}/_sandbox/faults`, {
      method: 'POST',
      body: JSON.stringify({ target, kind, times: 1, ratio: 1 }),
    });
    expect(response.status).toBe(201);
    const call = Object.entries(put).find(([other]) => other === target)?.[1] ?? (() => Promise.resolve());
    const before = sandbox.received().length;
    await expect(call()).rejects.toMatchObject({ name, $metadata: { httpStatusCode: status } });
    expect(sandbox.received()).toHaveLength(before);
    await call();
    expect(sandbox.received()).toHaveLength(before + 1);
  });

  it.each(Object.keys(errors))('%s is hit only by calls that carry the text', async (target) => {
    const call = Object.entries(put).find(([other]) => other === target)?.[1] ?? (() => Promise.resolve());
    const remove = ['other', 'a'].map((contains) => sandbox.script({ kind: 'malformed', contains, times: 1 }));
    await expect(call()).rejects.toMatchObject({ $metadata: { httpStatusCode: 400 } });
    await call();
    for (const one of remove) one();
  });

  it.each(Object.keys(errors))('%s closes the socket on reset', async (target) => {
    const call = Object.entries(put).find(([other]) => other === target)?.[1] ?? (() => Promise.resolve());
    sandbox.script({ kind: 'reset', times: 1 });
    await expect(call()).rejects.toMatchObject({ code: 'ECONNRESET' });
  });
});
