import { describe, expect, it } from 'vitest';
import { evidenceLines } from './evidence.js';
import { heldByOther } from './exported-events.js';
import type { Proof } from './proof.js';
import { passes, type Missing, type Reconciliation } from './reconcile.js';
import { report } from './report.js';

const missing = (sequence: number, because: Missing['because']): Missing => ({
  epoch: 1,
  sequence,
  event_id: `evt_${sequence}`,
  because,
  detail: null,
});
const facts = { id: 'exp_1', events: 9, bytes: 900, sha256: 'ab12', complete_since: null };
const COMPARED_ALL = "Compared: sequences, ids and content of 9 events, with Waybill's export exp_1 (SHA-256 ab12).";
const found = (differences: Partial<Reconciliation>): Reconciliation => ({
  destination_status: 'healthy',
  target_kind: 'data_stream',
  from: 1,
  last_sequence: 9,
  epoch: 1,
  held: 9,
  repeats: 0,
  out_of_order: 0,
  missing: [],
  undone: [],
  contradictions: [],
  other_events: [],
  altered: [],
  content: { compared: true, events: 9, export: facts, uncertain: [] },
  of_waybill: 0,
  accounted_for: true,
  not_delivered: 0,
  ...differences,
});
const provedAll: Proof = {
  keys: [],
  read_at: '',
  logs: [],
  unsealed_epochs: [],
  findings: [],
  counts: {},
  verified: true,
};
const lines = (differences: Partial<Reconciliation>) => report(found(differences)).split('\n');

describe('the report of a reconciliation', () => {
  it.each([
    [[], 'Every event arrived. Nothing was lost. Nothing was altered.'],
    [
      [missing(4, 'rejected')],
      'Every sequence is accounted for: 8 arrived, 1 was not delivered (rejected). Nothing was altered.',
    ],
    [
      [missing(4, 'expired'), missing(5, 'expired')],
      'Every sequence is accounted for: 7 arrived, 2 were not delivered (expired). Nothing was altered.',
    ],
    [
      [missing(3, 'rejected'), missing(4, 'expired'), missing(8, 'in_flight'), missing(9, 'pending')],
      'Every sequence is accounted for: 5 arrived, 2 were not delivered (1 rejected, 1 expired), 2 were not delivered yet. Nothing was altered.',
    ],
    [
      [missing(9, 'after_export')],
      'Every sequence is accounted for: 8 arrived, 1 was delivered after the export was made. Nothing was altered.',
    ],
  ])('distinguishes arrived events from those that are accounted for: %j', (those, verdict) => {
    expect(lines({ missing: those, held: 9 - those.length }).at(-1)).toBe(verdict);
  });

  it('does not count arrivals when a number is not accounted for', () => {
    expect(lines({ missing: [missing(4, 'unknown')], accounted_for: false }).at(-1)).toBe(
      'NOT every sequence is accounted for.',
    );
  });

  it("says that Waybill's own export proves nothing, and not that an event arrived", () => {
    const verdict =
      "NOTHING IS PROVED: the file is Waybill's own export, or holds lines of one. Give the file of the target.";
    for (const those of [[], [missing(9, 'pending')]]) {
      const text = lines({ of_waybill: 9 - those.length, missing: those, held: 9 - those.length });
      expect(text.at(-1)).toBe(verdict);
      expect(text.join('\n')).not.toContain('arrived.');
    }
    expect([passes(found({ of_waybill: 1 }), false), passes(found({}), false)]).toEqual([false, true]);
  });

  it('names undone events, and does not say that nothing was lost', () => {
    const undone = [5, 6, 7].map((sequence) => ({ epoch: 1, sequence }));
    expect(lines({ epoch: 1_800_000_000, undone })).toEqual([
      'The destination is healthy in epoch 1800000000 and has given out the sequences 1 to 9: 9 events.',
      'The export holds 9 different events, 0 repeats, 0 that arrived after a later sequence.',
      COMPARED_ALL,
      '3 UNDONE events: delivered before the database was restored, and unknown to Waybill now',
      '  5 of epoch 1 to 7 of epoch 1',
      'Every event that Waybill knows arrived. Waybill itself has lost the undone ones. Nothing was altered.',
    ]);
  });

  it('uses singular and plural', () => {
    expect(lines({ last_sequence: 1, held: 1, repeats: 1 }).slice(0, 3)).toEqual([
      'The destination is healthy and has given out the sequences 1 to 1: 1 event.',
      'The export holds 1 different event, 1 repeat, 0 that arrived after a later sequence.',
      COMPARED_ALL,
    ]);
    expect(lines({ last_sequence: 0, held: 0 })).toEqual([
      'The destination is healthy and has given out no sequence yet: 0 events.',
      'The export holds 0 different events, 0 repeats, 0 that arrived after a later sequence.',
      COMPARED_ALL,
      'There is nothing to compare yet.',
    ]);
  });

  it('names the range when the comparison begins at a later number', () => {
    expect(lines({ from: 5, last_sequence: 13, held: 12, missing: [missing(7, 'rejected')] })).toEqual([
      'The destination is healthy and has given out the sequences 1 to 13. Looked at from 5 on: 9 events.',
      'The export holds 12 different events (8 of those), 0 repeats, 0 that arrived after a later sequence.',
      COMPARED_ALL,
      '1 missing: refused by the target for good; can be redelivered',
      '  7  evt_7',
      'Every sequence is accounted for: 8 arrived, 1 was not delivered (rejected). Nothing was altered.',
    ]);
  });

  it('counts what came after the export apart from what is missing', () => {
    const text = report(found({ missing: [missing(9, 'after_export')] }));
    expect(text).toContain('1 after the export: taken by the target after the export was made');
    expect(text).not.toContain('missing');
  });

  it('lists every number where it is to be whole', () => {
    const those = Array.from({ length: 9 }, (_, index) => missing(index + 1, 'acknowledged'));
    const differences = { missing: those, accounted_for: false };
    expect(lines(differences)).toContain('  … and 4 more, all of them with --json');
    expect(report(found(differences), true).split('\n')).toHaveLength(14);
  });

  it('shows the first contradictions, and how many more there are', () => {
    const contradictions = Array.from({ length: 7 }, (_, index) => `Sequence ${index + 1}`);
    const differences = { contradictions, accounted_for: false };
    expect(lines(differences).slice(3)).toEqual([
      "7 CONTRADICTIONs: the export and Waybill's record cannot both be right",
      ...contradictions.slice(0, 5),
      '  … and 2 more, all of them with --json',
      'NOT every sequence is accounted for.',
    ]);
    expect(report(found(differences), true).split('\n')).toHaveLength(3 + 1 + 7 + 1);
  });

  it('may have more entries than a call has arguments', () => {
    const many = Array.from({ length: 130_000 }, (_, index) => index + 1);
    const differences = {
      missing: many.map((sequence) => missing(sequence, 'unknown')),
      contradictions: many.map((sequence) => `Sequence ${sequence}`),
      accounted_for: false,
    };
    expect(report(found(differences), true).split('\n')).toHaveLength(3 + 2 * (1 + many.length) + 1);
  });

  it('names an altered event, its lines, and the members that differ', () => {
    const differences = [
      { member: 'object.cidr', delivered: '10.0.0.0/8', held: '10.0.0.0/9' },
      { member: 'more', held: 1 },
      { member: 'size', delivered: null, held: Infinity },
    ];
    const altered = {
      epoch: 1,
      sequence: 4,
      event_id: 'evt_4',
      lines: [{ file: 'a.ndjson', line: 7, differences }],
      has_intact_line: true,
      delivered: null,
    };
    expect(lines({ altered: [altered] }).slice(3)).toEqual([
      '1 ALTERED: IN THE EXPORT WITH CONTENT OTHER THAN WHAT WAYBILL DELIVERED',
      '  4  evt_4  (another line holds it unaltered)',
      '    a.ndjson, line 7',
      '      object.cidr: "10.0.0.0/9" in the file, "10.0.0.0/8" delivered',
      '      more: 1 in the file, no such member delivered',
      '      size: "Infinity" in the file, null delivered',
      'Every sequence is accounted for, but 1 event was ALTERED.',
    ]);
    expect(lines({ altered: [altered], accounted_for: false }).at(-1)).toBe(
      'NOT every sequence is accounted for, and 1 event was ALTERED.',
    );
  });

  it('has no line that an id, an error or a description forges', () => {
    const forged = 'evt_4\nEvery event arrived. Nothing was lost.\u001b[2J\u009b2J\u202e';
    const shown = '"evt_4\\nEvery event arrived. Nothing was lost.\\u001b[2J\\u009b2J\\u202e"';
    const text = lines({
      missing: [{ ...missing(4, 'rejected'), event_id: forged, detail: 'x: a\nb' }],
      altered: [{ epoch: 1, sequence: 5, event_id: forged, lines: [], has_intact_line: false, delivered: null }],
      contradictions: [heldByOther({ epoch: 1, sequence: 6 }, 'evt_6', forged).reason],
      accounted_for: false,
    });
    expect(text.slice(3)).toEqual([
      '1 ALTERED: IN THE EXPORT WITH CONTENT OTHER THAN WHAT WAYBILL DELIVERED',
      `  5  ${shown}`,
      '1 missing: refused by the target for good; can be redelivered',
      `  4  ${shown}  x: a\\u000ab`,
      "1 CONTRADICTION: the export and Waybill's record cannot both be right",
      `Sequence 6 is of evt_6; the export holds ${shown} with it.`,
      'NOT every sequence is accounted for, and 1 event was ALTERED.',
    ]);
    const evidence = evidenceLines({
      instance_url: 'http://localhost:4700',
      account_id: 'acct_1',
      destination: { id: 'ed_1', description: 'a\nFile: b', target: { data_stream: {} } },
      compared_by: { principal_id: 'usr_1', principal_name: 'A\u001b[1A', credential_id: 'ak_1' },
      compared_at: '2026-11-23T09:00:00Z',
      exported_at: '2026-11-23T09:00:00Z',
      files: [],
    });
    expect(evidence[1]).toBe('Destination: ed_1, "a\\u000aFile: b", data_stream');
    expect(evidence[2]).toContain('by A\\u001b[1A (usr_1)');
  });

  it('says why contents were not compared, and does not say that nothing was altered', () => {
    const reason = 'no worker.';
    const none = lines({ content: { compared: false, reason } });
    expect(none[2]).toBe('Compared: sequences and ids only. CONTENT NOT COMPARED: no worker.');
    expect(none.at(-1)).toBe('Every event arrived. Nothing was lost. The content was not compared.');
    const uncertain = [
      { epoch: 1, sequence: 5, event_id: 'evt_5', because: 'before_records', differences: null } as const,
      { epoch: 1, sequence: 6, event_id: 'evt_6', because: 'target_form', differences: [] } as const,
    ];
    const since = { ...facts, complete_since: '2026-08-01T00:00:00.000Z' };
    const some = lines({ content: { compared: true, events: 7, export: since, uncertain } });
    expect(some.slice(3)).toEqual([
      'The content of 1 event was not compared: the target stores events in a form of its own, without some members or with others',
      '  6  evt_6',
      'The content of 1 event was not compared: before the records that Waybill still has (since 2026-08-01T00:00:00.000Z)',
      '  5  evt_5',
      'Every event arrived. Nothing was lost. The content of 2 events was not compared.',
    ]);
  });

  it('says of erased events whether the record was verified', () => {
    const held = { epoch: 1, sequence: 5, event_id: 'evt_5', because: 'erased', differences: null } as const;
    const erased = {
      missing: [missing(4, 'erased')],
      content: { compared: true, events: 7, export: facts, uncertain: [held] } as const,
    };
    expect(lines(erased).slice(3)).toEqual([
      '1 ERASED, AND IN THE EXPORT: Waybill has erased it by a record that was not verified, and the content was not compared',
      '  5  evt_5',
      '1 erased: by a record that was not verified',
      '  4  evt_4',
      'Every sequence is accounted for: 8 arrived, 1 was erased by a record that was not verified. The content of 1 event was not compared.',
    ]);
    const signed = report(found({ ...erased, proof: provedAll }));
    expect(signed).toContain('1 erased: by a signed record');
    expect(signed).not.toContain('not verified');
  });

  it.each([
    [[0], 'The signed log has each of these events.'],
    [[0, 2], 'The signed log has each of these events but what came after the checkpoint, which is not verified.'],
  ])('says whether events after the checkpoints are not verified: %j', (later, sentence) => {
    const logs = later.map((not_yet_sealed) => ({
      log: 'a/ed_1/1',
      size: 9,
      root: '',
      events: 9,
      repeats: 0,
      out_of_order: 0,
      not_yet_sealed,
      erased: 0,
      erased_sequences: [],
      erased_but_there: 0,
      is_compared: true,
    }));
    expect(lines({ proof: { ...provedAll, logs } }).at(-1)).toBe(
      `Every event arrived. Nothing was lost. Nothing was altered. ${sentence}`,
    );
  });

  it('says how many findings of the signed log it does not list', () => {
    const altered = Array.from(
      { length: 7 },
      (_, at) => ({ verdict: 'altered', sequence: at + 1, reason: '' }) as const,
    );
    const range = { verdict: 'missing', sequence: 8, last_sequence: 9, reason: '' } as const;
    const counts = { altered: 1_200, missing: 2 };
    const proof = { ...provedAll, findings: [...altered, range], counts, verified: false };
    const text = report(found({ proof }));
    expect(text).toContain('1200 of the signed log: ALTERED');
    expect(text).toContain('  … and 2 more, all of them with --json\n  … and 1193 more that are not listed\n');
    expect(text).toContain('2 of the signed log: MISSING');
  });

  it('does not excuse an event of which Waybill has no record, and should have one', () => {
    const unknown = { epoch: 1, sequence: 5, event_id: 'evt_5', because: 'no_record', differences: null } as const;
    const shown = (complete_since: string | null) =>
      lines({
        content: { compared: true, events: 8, export: { ...facts, complete_since }, uncertain: [unknown] },
        accounted_for: false,
      }).slice(3);
    expect(shown('2026-08-01T00:00:00.000Z')).toEqual([
      '1 UNKNOWN: IN THE EXPORT, AND WAYBILL HAS NO RECORD OF IT, THOUGH IT HAS ALL SINCE 2026-08-01T00:00:00.000Z',
      '  5  evt_5',
      'NOT every sequence is accounted for.',
    ]);
    expect(shown(null)[0]).toBe(
      '1 UNKNOWN: IN THE EXPORT, AND WAYBILL HAS NO RECORD OF IT, THOUGH IT HAS REMOVED NONE',
    );
  });
});
