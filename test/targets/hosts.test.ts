import { CloudWatchLogsClient, PutLogEventsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { FirehoseClient, PutRecordBatchCommand } from '@aws-sdk/client-firehose';
import { KinesisClient, PutRecordsCommand } from '@aws-sdk/client-kinesis';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logGroupAddress, logGroupConfig } from '../../src/targets/aws-cloudwatch-logs/config.js';
import { deliveryStreamAddress, deliveryStreamConfig } from '../../src/targets/aws-firehose/config.js';
import { dataStreamAddress, dataStreamConfig } from '../../src/targets/aws-kinesis/config.js';
import { clientOptions } from '../../src/targets/aws/client-options.js';
import { logIngestionConfig } from '../../src/targets/azure-logs-ingestion/config.js';

const context = { destinationId: 'ed_1', externalId: 'x', settings: { sendTimeoutMs: 20_000 } };
const creds = { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: 'secret' };

/**
 * The vendor's own domains, by partition: https://docs.aws.amazon.com/general/latest/gr/rande.html and the SDK's
 * partitions.
 */
const domains: Readonly<Record<string, string>> = {
  aws: 'amazonaws.com',
  'aws-cn': 'amazonaws.com.cn',
  'aws-us-gov': 'amazonaws.com',
  'aws-iso': 'c2s.ic.gov',
  'aws-iso-b': 'sc2s.sgov.gov',
  'aws-iso-e': 'cloud.adc-e.uk',
  'aws-iso-f': 'csp.hci.ic.gov',
  'aws-eusc': 'amazonaws.eu',
};

/** Replaces the request handler of a vendor's client, and records the host of a call. */
class Wire {
  host = '';
  handle({ hostname, port, protocol }: { hostname: string; port?: number; protocol: string }): Promise<never> {
    this.host = `${protocol}//${hostname}${port === undefined ? '' : `:${port}`}`;
    return Promise.reject(new Error('not sent'));
  }
}

type Kind = 'firehose' | 'kinesis' | 'logs';

const resourceOf: Readonly<Record<Kind, string>> = {
  firehose: 'deliverystream/audit',
  kinesis: 'stream/audit',
  logs: 'log-group:/audit',
};

/** Returns the host that the vendor's client calls for an ARN; null when the API refuses the ARN. */
async function hostFor(kind: Kind, arn: string): Promise<string | null> {
  const wire = new Wire();
  const auth = { creds };
  const options = (region: string) => ({ ...clientOptions(auth, region, context), requestHandler: wire });
  const calls: Readonly<Record<Kind, () => Promise<unknown> | null>> = {
    firehose: () => {
      const address = deliveryStreamAddress(arn);
      if (!address || !deliveryStreamConfig.safeParse({ auth, delivery_stream_arn: arn }).success) return null;
      const records = { DeliveryStreamName: address.name, Records: [{ Data: Buffer.from('x') }] };
      return new FirehoseClient(options(address.region)).send(new PutRecordBatchCommand(records));
    },
    kinesis: () => {
      const address = dataStreamAddress(arn);
      if (!address || !dataStreamConfig.safeParse({ auth, stream_arn: arn }).success) return null;
      const records = { StreamARN: arn, Records: [{ Data: Buffer.from('x'), PartitionKey: 'k' }] };
      return new KinesisClient(options(address.region)).send(new PutRecordsCommand(records));
    },
    logs: () => {
      const address = logGroupAddress(arn);
      if (!address || !logGroupConfig.safeParse({ auth, log_group_arn: arn }).success) return null;
      const names = { logGroupName: address.group, logStreamName: 'stream' };
      const events = { ...names, logEvents: [{ message: 'x', timestamp: 1 }] };
      return new CloudWatchLogsClient(options(address.region)).send(new PutLogEventsCommand(events));
    },
  };
  const call = calls[kind]();
  if (call === null) return null;
  await expect(call).rejects.toThrow('not sent');
  return wire.host;
}

describe('the host that a vendor’s client calls', () => {
  it.each([
    ['aws', 'us-east-1'],
    ['aws', 'il-central-1'],
    ['aws-cn', 'cn-northwest-1'],
    ['aws-us-gov', 'us-gov-west-1'],
    ['aws-iso', 'us-iso-east-1'],
    ['aws-iso-b', 'us-isob-east-1'],
    ['aws-iso-e', 'eu-isoe-west-1'],
    ['aws-iso-f', 'us-isof-south-1'],
    ['aws-eusc', 'eusc-de-east-1'],
  ])('is in the domain of the partition and in the region of the ARN: %s, %s', async (partition, region) => {
    const arn = (kind: Kind) => `arn:${partition}:${kind}:${region}:123456789012:${resourceOf[kind]}`;
    const domain = domains[partition] ?? '';
    expect(await hostFor('firehose', arn('firehose'))).toBe(`https://firehose.${region}.${domain}`);
    expect(await hostFor('logs', arn('logs'))).toBe(`https://logs.${region}.${domain}`);
    const kinesis = await hostFor('kinesis', arn('kinesis'));
    expect([`https://123456789012.data-kinesis.${region}.${domain}`, `https://kinesis.${region}.${domain}`]).toContain(
      kinesis,
    );
  });

  it('belongs to the vendor for every accepted ARN', async () => {
    const kinds = fc.constantFrom<Kind>('firehose', 'kinesis', 'logs');
    const trick = fc.constantFrom(
      '',
      '.',
      '@',
      '#',
      '/',
      '\\',
      '?',
      '%',
      ':',
      '\n',
      '\r\n',
      ' ',
      '\u0000',
      '。',
      '․',
      '-',
      '1',
      '.evil.example',
      '@evil.example',
      '.evil.example#',
      '/../evil.example',
      '%2eevil',
      'İ',
      'K',
    );
    const partition = fc.constantFrom(...Object.keys(domains), 'aws-moon', 'AWS', 'aws-', '');
    const region = fc.oneof(
      fc.constantFrom('us-east-1', 'cn-north-1', 'us-gov-west-1', 'eu-isoe-west-1', 'eusc-de-east-1', 'global', ''),
      fc.string({ maxLength: 12 }),
      fc.stringMatching(/^[a-z]{2,4}-[a-z]{1,8}-[0-9]{1,2}$/),
    );
    const account = fc.constantFrom('123456789012', '12345678901', 'evil', '');
    let accepted = 0;
    await fc.assert(
      fc.asyncProperty(
        kinds,
        partition,
        region,
        account,
        fc.array(trick, { minLength: 5, maxLength: 5 }),
        fc.boolean(),
        async (kind, inPartition, inRegion, ofAccount, tricks, clean) => {
          const [a, b, c, d, e] = clean ? ['', '', '', '', ''] : tricks;
          const arn = `${a}arn:${inPartition}${b}:${kind}:${inRegion}${c}:${ofAccount}${d}:${resourceOf[kind]}${e}`;
          const host = await hostFor(kind, arn);
          if (host === null) return;
          accepted += 1;
          const domain = domains[inPartition];
          expect(domain).toBeDefined();
          expect(host).toMatch(
            /^https:\/\/(firehose|logs|kinesis|123456789012\.data-kinesis)\.[a-z0-9-]+\.[a-z0-9.-]+$/,
          );
          expect(Object.values(domains).some((one) => host.endsWith(`.${one}`))).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
    expect(accepted).toBeGreaterThan(0);
  });

  it('is an ingestion host of Azure for every accepted address', () => {
    const member = {
      tenant_id: '11111111-2222-4333-8444-555555555555',
      client_id: 'aaaaaaaa-2222-4333-8444-555555555555',
      data_collection_rule_id: 'dcr-0123456789abcdef0123456789abcdef',
      data_collection_stream_name: 'Custom-Audit_CL',
    };
    const piece = fc.constantFrom(
      'https://',
      'http://',
      'a',
      '-',
      '.',
      '@',
      ':',
      '/',
      '\\',
      '#',
      '?',
      '%2f',
      '\n',
      '\t',
      'evil.example',
      '.ingest.monitor.azure.com',
      'ingest.monitor.azure.us',
      'azure.cn',
      ':443',
      '。',
      'ß',
      'ı',
    );
    let accepted = 0;
    const text = fc.oneof(
      fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')),
      fc.array(piece, { maxLength: 2 }).map((pieces) => `https://${pieces.join('')}.ingest.monitor.azure.com`),
    );
    fc.assert(
      fc.property(text, (logs_ingestion_uri) => {
        if (!logIngestionConfig.safeParse({ ...member, logs_ingestion_uri }).success) return;
        accepted += 1;
        const url = new URL(logs_ingestion_uri);
        expect([url.protocol, url.port, url.username, url.password, url.pathname, url.search, url.hash]).toEqual([
          'https:',
          '',
          '',
          '',
          '/',
          '',
          '',
        ]);
        expect(url.hostname).toMatch(/^[a-z0-9.-]+\.ingest\.monitor\.azure\.(com|us|cn)$/);
      }),
      { numRuns: 20_000 },
    );
    expect(accepted).toBeGreaterThan(0);
  });
});
