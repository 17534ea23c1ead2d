import { AzureAuthorityHosts } from '@azure/identity';
import { KnownMonitorAudience } from '@azure/monitor-ingestion';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { cloudOf, clouds, logIngestionConfig } from './config.js';

const member = {
  tenant_id: '11111111-2222-4333-8444-555555555555',
  client_id: 'AAAAAAAA-2222-4333-8444-555555555555',
  client_secret: 'a~secret.value',
  logs_ingestion_uri: 'https://waybill-a1b2.westeurope-1.ingest.monitor.azure.com',
  data_collection_rule_id: 'dcr-0123456789abcdef0123456789abcdef',
  data_collection_stream_name: 'Custom-Waybill_CL',
};
const accepts = (changed: Record<string, unknown>) => logIngestionConfig.safeParse({ ...member, ...changed }).success;

describe('the log_ingestion member', () => {
  it('is taken as it is given', () => {
    expect(logIngestionConfig.parse(member)).toEqual(member);
  });

  it('takes a secret that is left out or null, which an update does to keep it', () => {
    expect(accepts({ client_secret: null })).toBe(true);
    expect(accepts({ client_secret: undefined })).toBe(true);
  });

  it.each(Object.keys(member).filter((field) => field !== 'client_secret'))('needs %s', (field) => {
    expect(accepts({ [field]: undefined })).toBe(false);
    expect(accepts({ [field]: null })).toBe(false);
    expect(accepts({ [field]: '' })).toBe(false);
  });

  it.each([
    'https://name.ingest.monitor.azure.com',
    'https://name.ingest.monitor.azure.com/',
    'https://name-x.usgovvirginia-1.ingest.monitor.azure.us',
    'https://name-x.chinaeast2-1.ingest.monitor.azure.cn',
  ])('takes the address %s', (logs_ingestion_uri) => {
    expect(accepts({ logs_ingestion_uri })).toBe(true);
  });

  it.each([
    'http://name.ingest.monitor.azure.com',
    'https://name.ingest.monitor.azure.com:8443',
    'https://user@name.ingest.monitor.azure.com',
    'https://evil.example/.ingest.monitor.azure.com',
    'https://evil.example#.ingest.monitor.azure.com',
    'https://evil.example?.ingest.monitor.azure.com',
    'https://evil.example\\.ingest.monitor.azure.com',
    'https://name.ingest.monitor.azure.com.evil.example',
    'https://name.ingest.monitor.azure.com/path',
    'https://name.ingest.monitor.azure.com?x=1',
    'https://name.ingest.monitor.azure.com\n',
    'https://ingest.monitor.azure.com',
    'https://name.ingestXmonitor.azure.com',
    'https://name.ingest.monitor.azure.de',
    'https://169.254.169.254',
    `https://${'a'.repeat(300)}.ingest.monitor.azure.com`,
  ])('refuses the address %j', (logs_ingestion_uri) => {
    expect(accepts({ logs_ingestion_uri })).toBe(false);
  });

  it.each([
    ['tenant_id', 'contoso.onmicrosoft.com'],
    ['tenant_id', 'common'],
    ['tenant_id', `${member.tenant_id}/../common`],
    ['client_id', `${member.client_id}\n`],
    ['client_secret', ''],
    ['client_secret', 'two words'],
    ['data_collection_rule_id', 'dcr-0123456789ABCDEF0123456789ABCDEF'],
    ['data_collection_rule_id', 'dcr-0123456789abcdef0123456789abcdef0'],
    ['data_collection_rule_id', 'x/dcr-0123456789abcdef0123456789abcdef'],
    ['data_collection_stream_name', 'Waybill_CL'],
    ['data_collection_stream_name', 'Custom-'],
    ['data_collection_stream_name', 'Custom-a/../b'],
    ['data_collection_stream_name', 'Custom-a?x=1'],
    ['endpoint', 'https://evil.example'],
  ])('refuses the %s %j', (field, value) => {
    expect(accepts({ [field]: value })).toBe(false);
  });

  it('describes every field in JSON Schema', () => {
    const { properties } = z.toJSONSchema(logIngestionConfig, { io: 'input' });
    expect(Object.keys(properties ?? {})).toEqual(Object.keys(member));
    for (const field of Object.values(properties ?? {})) expect(field).toHaveProperty('description');
  });
});

describe('the cloud of an address', () => {
  it('is known to the client by the same audience and authority', () => {
    expect(clouds).toEqual({
      com: {
        authority: AzureAuthorityHosts.AzurePublicCloud,
        audience: KnownMonitorAudience.AzurePublicCloud,
      },
      us: { authority: AzureAuthorityHosts.AzureGovernment, audience: KnownMonitorAudience.AzureGovernment },
      cn: { authority: AzureAuthorityHosts.AzureChina, audience: KnownMonitorAudience.AzureChina },
    });
  });

  it('goes by the ending of the address', () => {
    expect(cloudOf('https://a.ingest.monitor.azure.us/')).toBe(clouds.us);
    expect(cloudOf('https://a.ingest.monitor.azure.cn')).toBe(clouds.cn);
    expect(() => cloudOf('https://a.ingest.monitor.azure.com.evil.example')).toThrow(TypeError);
  });
});
