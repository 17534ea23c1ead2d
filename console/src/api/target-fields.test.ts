import type { EventDestinationTarget } from '@waybill/client';
import { describe, expect, it } from 'vitest';
import {
  draftOf,
  draftOfKind,
  draftWith,
  externalIdOf,
  kindOfArn,
  targetArnOf,
  targetChangeOf,
  targetInputOf,
  type TargetDraft,
} from './target-draft.js';
import {
  credentialFieldsOf,
  descriptionFault,
  faultOf,
  faultsOf,
  shownValueOf,
  targetFieldsOf,
  withoutSecrets,
} from './target-fields.js';
import { isPrincipal, permissionPolicyOf, trustPolicyOf } from './trust-policy.js';

const none = { data_stream: null, delivery_stream: null, log_group: null, monitoring: null, log_ingestion: null };
const STREAM = 'arn:aws:kinesis:eu-central-1:123456789012:stream/audit';

const byRole = {
  ...none,
  data_stream: {
    auth: { role: { role_arn: 'arn:aws:iam::123456789012:role/waybill', external_id: 'ext-1' } },
    stream_arn: STREAM,
    records: 'packed',
  },
} as EventDestinationTarget;

const byKey = {
  ...none,
  data_stream: {
    auth: { role: null, creds: { cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE', cloud_secret_access_key: null } },
    stream_arn: STREAM,
    records: 'one_event',
  },
} as EventDestinationTarget;

describe('the draft of a stored target', () => {
  it('has its values, and no secret', () => {
    expect(draftOf(byRole)).toEqual({
      kind: 'data_stream',
      auth: 'role',
      values: { stream_arn: STREAM, records: 'packed', role_arn: 'arn:aws:iam::123456789012:role/waybill' },
    });
    expect(draftOf(byKey).auth).toBe('creds');
    expect([externalIdOf(byRole), externalIdOf(byKey)]).toEqual(['ext-1', null]);
    expect(targetArnOf(draftOf(byRole))).toBe(STREAM);
    expect(targetFieldsOf('data_stream').map((field) => shownValueOf(field, draftOf(byRole)))).toEqual([
      STREAM,
      'Several events in each record',
    ]);
  });

  it('keeps the secret unless another one is typed', () => {
    const draft = draftOf(byKey);
    expect(faultsOf(credentialFieldsOf(draft), draft, true)).toEqual([]);
    expect(faultsOf(credentialFieldsOf(draft), draft)).toEqual(['Secret access key: missing']);
    expect(targetChangeOf(draft)).toMatchObject({
      data_stream: { auth: { creds: { cloud_secret_access_key: null } } },
    });
    expect(credentialFieldsOf(draft).map((field) => shownValueOf(field, draft))).toContain('stored, never shown');
    const changed = draftWith(draft, 'cloud_secret_access_key', ' new ');
    expect(targetChangeOf(changed)).toMatchObject({
      data_stream: { auth: { creds: { cloud_secret_access_key: 'new' } }, records: 'one_event' },
    });
  });
});

it('makes the target of a new destination, without what is optional and empty', () => {
  const draft: TargetDraft = {
    kind: 'monitoring',
    auth: 'role',
    values: { api_key: 'k', site: 'datadoghq.eu', tags: ' ' },
  };
  expect(targetInputOf(draft)).toEqual({
    monitoring: { api_key: 'k', site: 'datadoghq.eu', tags: null, service: null },
  });
});

it('finds values of another form, and shows the form', () => {
  const [stream] = targetFieldsOf('data_stream');
  const fault = (value: string) => stream && faultOf(stream, value);
  expect(fault('')).toBe('It is missing.');
  expect(fault('stream/audit')).toContain('the form of this example: arn:aws:kinesis');
  expect(fault(STREAM.replace(':stream/', ': stream/'))).toBe('It has a space or a line break in it.');
  expect(fault('arn:aws:firehose:eu-central-1:123456789012:deliverystream/audit')).toBe(
    'This is an ARN of Amazon Data Firehose.',
  );
  expect(fault(` ${STREAM} `)).toBeNull();
});

it('takes the ARN along to another service', () => {
  const draft: TargetDraft = {
    kind: 'data_stream',
    auth: 'role',
    values: { stream_arn: 'arn:aws:logs:a:1:log-group:b' },
  };
  expect(kindOfArn(targetArnOf(draft))).toBe('log_group');
  expect(targetArnOf(draftOfKind(draft, 'log_group'))).toBe('arn:aws:logs:a:1:log-group:b');
  expect(draftOfKind(draft, 'monitoring')).toEqual({ ...draft, kind: 'monitoring' });
});

it('refuses a secret access key that is too short, and a description that is too long', () => {
  const draft: TargetDraft = { kind: 'data_stream', auth: 'creds', values: {} };
  const [, secret] = credentialFieldsOf(draft);
  expect(secret && faultOf(secret, 'short')).toBe('It has 5 characters, and needs 40.');
  expect(descriptionFault('a'.repeat(256))).toBe('It is 256 bytes long. At most 255 bytes are stored.');
  expect(descriptionFault('a'.repeat(255))).toBeNull();
});

it('keeps the values that have a form which no secret has', () => {
  const values = {
    stream_arn: STREAM,
    records: 'packed',
    role_arn: 'arn:aws:iam::123456789012:role/waybill',
    cloud_access_key_id: 'AKIAIOSFODNN7EXAMPLE',
    site: 'datadoghq.eu',
    tenant_id: '01234567-89ab-cdef-0123-456789abcdef',
    data_collection_stream_name: 'Custom-Waybill_CL',
  };
  expect(withoutSecrets({ kind: 'data_stream', auth: 'creds', values }).values).toEqual(values);
});

it.each([
  // Forty letters and digits, as AWS makes a secret that happens to have no + and no /.
  ['a secret access key', 'wJalrXUtnFEMIaK7MDENGxbPxRfiCYEXAMPLEKEY'],
  ['a Datadog API key', '0123456789abcdef0123456789abcdef'],
  ['a client secret of Entra', 'Abc8Q~0123456789abcdefghijklmnopqrstuvwx'],
])('keeps %s in no field', (_name, secret) => {
  const kinds = ['data_stream', 'delivery_stream', 'log_group', 'monitoring', 'log_ingestion'] as const;
  const fields = kinds.flatMap((kind) => [
    ...targetFieldsOf(kind),
    ...credentialFieldsOf({ kind, auth: 'role' }),
    ...credentialFieldsOf({ kind, auth: 'creds' }),
  ]);
  const values = Object.fromEntries([...fields.map(({ name }) => name), 'unknown'].map((name) => [name, secret]));
  expect(Object.keys(values).length).toBeGreaterThan(12);
  expect(withoutSecrets({ kind: 'data_stream', auth: 'creds', values }).values).toEqual({});
});

it('accepts the example of every field', () => {
  const kinds = ['data_stream', 'delivery_stream', 'log_group', 'monitoring', 'log_ingestion'] as const;
  const fields = kinds.flatMap((kind) => [
    ...targetFieldsOf(kind),
    ...credentialFieldsOf({ kind, auth: 'role' }),
    ...credentialFieldsOf({ kind, auth: 'creds' }),
  ]);
  const faults = fields.flatMap((field) => (field.example === undefined ? [] : [faultOf(field, field.example)]));
  expect(faults.length).toBeGreaterThan(8);
  expect(faults.filter((fault) => fault !== null)).toEqual([]);
});

describe('the policies of a role', () => {
  it('name the principal, the external id and the calls', () => {
    expect(trustPolicyOf(' arn:aws:iam::1:role/w ', 'ext-1').Statement).toEqual([
      {
        Effect: 'Allow',
        Principal: { AWS: 'arn:aws:iam::1:role/w' },
        Action: 'sts:AssumeRole',
        Condition: { StringEquals: { 'sts:ExternalId': 'ext-1' } },
      },
    ]);
    expect(permissionPolicyOf('data_stream', STREAM)?.Statement).toEqual([
      { Effect: 'Allow', Action: ['kinesis:PutRecords'], Resource: STREAM },
    ]);
    expect(permissionPolicyOf('monitoring', '')).toBeNull();
  });

  it.each(['', ':*', ':log-stream:one'])('name the streams of a log group whose ARN ends with "%s"', (end) => {
    const group = 'arn:aws:logs:eu-central-1:123456789012:log-group:/audit/orders';
    expect(permissionPolicyOf('log_group', group + end)?.Statement).toEqual([
      { Effect: 'Allow', Action: ['logs:CreateLogStream', 'logs:PutLogEvents'], Resource: `${group}:*` },
    ]);
  });

  it.each([
    ['arn:aws:iam::123456789012:role/waybill', true],
    ['arn:aws:iam::123456789012:root', true],
    ['arn:aws:iam::123456789012:user/w', true],
    ['arn:aws:sts::123456789012:assumed-role/waybill/i-1', false],
    ['123456789012', false],
  ])('trust %s: %s', (text, isOne) => {
    expect(isPrincipal(text)).toBe(isOne);
  });
});
