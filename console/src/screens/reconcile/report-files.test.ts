import { expect, it } from 'vitest';
import { jsonReport, textReport, type Comparison } from './report-files.js';

const comparison: Comparison = {
  input: {
    destination: 'ed_1',
    files: [new File(['abc'], 'export.ndjson')],
    from: 1,
    exportedAt: '2026-11-23T04:00:00.000Z',
    content: false,
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
    ghosts: [],
    contradictions: [],
    altered: [],
    content: { compared: false, reason: null },
    of_waybill: 0,
    accounted_for: true,
    not_delivered: 1,
  },
  comparedAt: '2026-11-23T05:00:00.000Z',
};

it('says what was compared, and every missing number', () => {
  expect(JSON.parse(jsonReport(comparison))).toMatchObject({
    destination_id: 'ed_1',
    files: [{ name: 'export.ndjson', bytes: 3 }],
    exported_at: '2026-11-23T04:00:00.000Z',
    missing: [{ sequence: 2, because: 'rejected' }],
  });
});

it('has the words of the tool', () => {
  const lines = textReport(comparison).trimEnd().split('\n');
  expect(lines[0]).toBe('ed_1, export.ndjson, export of 2026-11-23T04:00:00.000Z, compared 2026-11-23T05:00:00.000Z');
  expect(lines.at(-1)).toBe(
    'Every number is accounted for: 1 arrived, 1 was not delivered (rejected). The content was not compared.',
  );
});
