import { canonicalJson, isRow } from '@waybill/verify/readers';
import { expect, it } from 'vitest';
import { isOwnForm, plainForm } from './target-form.js';

const event = {
  event_id: 'evt_1',
  event_timestamp: '2026-11-23T09:27:56.100Z',
  sequence: 7,
  ok: true,
  object: { cidr: '10.0.0.0/8', description: '', note: null, ports: [1, 2] },
};

it('is the same for a row of Azure, which has columns of its own, and values as text', () => {
  const row = {
    TimeGenerated: '2026-11-23T09:27:56.1Z',
    TenantId: 'x',
    Type: 'Waybill_CL',
    _ResourceId: '',
    ok: 'true',
    object: '{"ports":[1,2],"cidr":"10.0.0.0/8"}',
    sequence: '7',
    event_timestamp: '2026-11-23T09:27:56.1000000Z',
    event_id: 'evt_1',
  };
  expect(isRow(row)).toBe(true);
  expect(canonicalJson(plainForm(row, 'row'))).toBe(canonicalJson(plainForm(event, 'delivered')));
});

it('keeps apart what differs', () => {
  const altered = { ...event, object: { ...event.object, cidr: '10.0.0.0/9' } };
  expect(canonicalJson(plainForm(altered, 'row'))).not.toBe(canonicalJson(plainForm(event, 'delivered')));
});

it('belongs to the targets that store members one by one', () => {
  expect(isOwnForm('row', 'log_ingestion')).toBe(true);
  expect(isOwnForm('attributes', 'monitoring')).toBe(true);
  // A column of Azure in a file of another target is an addition.
  expect(isOwnForm('row', 'data_stream')).toBe(false);
  expect(isOwnForm('delivered', 'log_ingestion')).toBe(false);
});
