import { expect, it } from 'vitest';
import { jsonReport, reportName, textReport, type Comparison } from './report-files.js';

const comparison: Comparison = {
  evidence: {
    instance_url: 'https://waybill.example.com',
    account_id: 'acc_1',
    destination: {
      id: 'ed_1',
      description: 'Security lake',
      target: { log_group: null, data_stream: { stream: 's' } },
    },
    compared_by: { principal_id: 'bot_1', principal_name: 'Audit', credential_id: 'key_1' },
    compared_at: '2026-11-23T05:00:00.000Z',
    exported_at: '2026-11-23T04:00:00.000Z',
    files: [{ name: 'export.ndjson', bytes: 3, sha256: 'ba78' }],
  },
  found: {
    destination_status: 'healthy',
    target_kind: 'data_stream',
    from: 1,
    last_sequence: 2,
    epoch: 1,
    held: 1,
    repeats: 0,
    out_of_order: 0,
    missing: [{ epoch: 1, sequence: 2, event_id: 'evt_2', because: 'rejected', detail: 'http_400: no' }],
    undone: [],
    contradictions: [],
    other_events: [],
    altered: [],
    content: { compared: false, reason: null },
    of_waybill: 0,
    accounted_for: true,
    not_delivered: 1,
  },
};

it('says what was compared, and every missing number', () => {
  expect(JSON.parse(jsonReport(comparison))).toMatchObject({
    account_id: 'acc_1',
    destination: { id: 'ed_1' },
    compared_by: { principal_name: 'Audit', credential_id: 'key_1' },
    files: [{ name: 'export.ndjson', bytes: 3, sha256: 'ba78' }],
    exported_at: '2026-11-23T04:00:00.000Z',
    missing: [{ sequence: 2, because: 'rejected' }],
  });
});

it('has the words of the tool', () => {
  const lines = textReport(comparison).trimEnd().split('\n');
  expect(lines.slice(0, 5)).toEqual([
    'Waybill: https://waybill.example.com, account acc_1',
    'Destination: ed_1, "Security lake", data_stream',
    'Compared: 2026-11-23T05:00:00.000Z, by Audit (bot_1) with the key key_1',
    'File: export.ndjson, 3 bytes, SHA-256 ba78',
    'Time of the export of the target: 2026-11-23T04:00:00.000Z',
  ]);
  expect(lines.at(-1)).toBe(
    'Every sequence is accounted for: 1 arrived, 1 was not delivered (rejected). The content was not compared.',
  );
});

it('has date and time in its name, so that two runs differ', () => {
  expect(reportName(comparison)).toBe('reconciliation-ed_1-20261123T050000Z');
});
