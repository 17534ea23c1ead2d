import type { EventDestination } from '@waybill/client';
import { describe, expect, it } from 'vitest';
import { toggled } from '../../api/chosen-types.js';
import type { TargetKind } from '../../api/target-kinds.js';
import { missingIn, type Creation } from './steps.js';

const text = { type: 'string', title: 'ARN' };
const stream: TargetKind = {
  kind: 'data_stream',
  title: 'Streams',
  credentials: ['auth'],
  permissions: { actions: [], resource: { field: 'stream_arn', pattern: '', suffix: '' } },
  schema: {
    properties: {
      auth: {
        maxProperties: 1,
        properties: {
          role: { properties: { role_arn: { ...text, title: 'ARN of the role' } }, required: ['role_arn'] },
          creds: { properties: { key: text } },
        },
      },
      stream_arn: { ...text, title: 'ARN of the data stream' },
    },
    required: ['stream_arn'],
  },
};

const start: Creation = {
  draft: { kind: stream, values: {} },
  description: '',
  destination: null,
  types: [],
  verdict: undefined,
  subscriptionId: null,
};

const filled: Creation = {
  ...start,
  draft: {
    kind: stream,
    values: {
      stream_arn: 'arn:aws:kinesis:eu-central-1:123456789012:stream/audit',
      'auth.role.role_arn': 'arn:aws:iam::123456789012:role/waybill-events',
    },
  },
};

const destination: EventDestination = {
  id: 'ed_1',
  uri: '/event_destinations/ed_1',
  created_at: '2026-11-23T00:00:00.000Z',
  description: null,
  metadata: null,
  format: 'json',
  target: {
    data_stream: {
      auth: { role: { role_arn: 'arn:aws:iam::123456789012:role/waybill-events', external_id: 'x' }, creds: null },
      stream_arn: 'arn:aws:kinesis:eu-central-1:123456789012:stream/audit',
      records: 'one_event',
    },
    delivery_stream: null,
    log_group: null,
    monitoring: null,
    log_ingestion: null,
  },
  paused: null,
  muted: null,
};

describe('what is missing', () => {
  it('at first, is said in every step', () => {
    const missing = missingIn(start);
    expect(missing.target).toEqual(['ARN of the data stream: not filled in yet']);
    expect(missing.credentials).toEqual(['ARN of the role: not filled in yet']);
    expect(missing.types).toEqual(['No event type is chosen.']);
    expect(missing.test).toEqual(['The destination is not created (step 2).']);
    expect(missing.subscription).toEqual([
      'The destination is not created (step 2).',
      'No event type is chosen (step 3).',
    ]);
  });

  it('before the destination is created, is only that', () => {
    expect(missingIn(filled)).toMatchObject({ target: [], credentials: ['The destination is not created.'] });
  });

  it.each([
    [undefined, ['The destination is not tested.']],
    [null, ['The test has no verdict yet.']],
    ['misconfigured', ['The last test was not delivered.']],
    ['outdated', ['The destination has changed since its last test.']],
    ['delivered', []],
  ] as const)('after a test with the verdict %s, is %j', (verdict, test) => {
    expect(missingIn({ ...filled, destination, verdict }).test).toEqual(test);
  });

  it('of a role, is what AWS has to know until a test has arrived', () => {
    expect(missingIn({ ...filled, destination }).credentials).toHaveLength(1);
    expect(missingIn({ ...filled, destination, verdict: 'delivered' }).credentials).toEqual([]);
    const draft = { ...filled.draft, values: { ...filled.draft.values, auth: 'creds' } };
    expect(missingIn({ ...filled, draft, destination }).credentials).toEqual([]);
  });

  it('is a shorter description, in bytes', () => {
    expect(missingIn({ ...filled, description: 'é'.repeat(127) }).target).toEqual([]);
    expect(missingIn({ ...filled, description: 'é'.repeat(128) }).target).toEqual(['Description: too long']);
  });

  it('at the end, is nothing', () => {
    const types = toggled([], 'ip_policy_created.v0');
    const creation: Creation = { ...filled, destination, types, verdict: 'delivered' };
    expect(missingIn(creation).subscription).toEqual(['The subscription is not created.']);
    expect(Object.values(missingIn({ ...creation, subscriptionId: 'es_1' })).flat()).toEqual([]);
  });
});
