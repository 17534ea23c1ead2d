import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { compareContent, type ContentControl } from './content.js';
import type { DestinationExports, ExportRecord } from './export-record.js';
import { ExportedEvents } from './exported-events.js';
import { passes, reconcile, type Reconciliation } from './reconcile.js';

type Members = Readonly<Record<string, unknown>>;

const event = (sequence: number, more: Members = {}): Members => ({
  event_id: `evt_${sequence}`,
  event_timestamp: '2026-11-23T09:27:56.100Z',
  object: { cidr: '10.0.0.0/8', description: '' },
  epoch: 1,
  sequence,
  ...more,
});
const delivery = { id: 'dlv_1', destination_id: 'ed_1', state: 'delivered', projected: false, backfill_id: null };

/** Exports of Waybill in memory. */
class FakeExports implements DestinationExports {
  readonly cancelled: string[] = [];
  private reads = 0;

  constructor(
    events: readonly Members[],
    private readonly changes: {
      readonly text?: string;
      readonly record?: Partial<ExportRecord>;
      readonly completeSince?: string;
    } = {},
    private readonly text = events.map((one) => `${JSON.stringify({ delivery, ...one })}\n`).join(''),
  ) {}

  create = async (): Promise<ExportRecord> => this.record('pending');
  get = async (): Promise<ExportRecord> => {
    this.reads += 1;
    return { ...this.record(this.reads === 1 ? 'running' : 'completed'), ...this.changes.record };
  };
  cancel = async (id: string): Promise<void> => {
    this.cancelled.push(id);
  };
  download = async (): Promise<ReadableStream<Uint8Array>> => {
    const bytes = Buffer.from(this.changes.text ?? this.text);
    return new ReadableStream({
      start(controller) {
        // Pieces that end within lines and within characters.
        for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.subarray(at, at + 7));
        controller.close();
      },
    });
  };

  private record(state: ExportRecord['state']): ExportRecord {
    const sha256 = createHash('sha256').update(this.text).digest('hex');
    const manifest = {
      count: 3,
      complete_since: this.changes.completeSince ?? null,
      file: { bytes: Buffer.byteLength(this.text), sha256 },
    };
    return {
      id: 'exp_1',
      state,
      progress: { events: 0, reached_at: null },
      error: null,
      manifest: state === 'completed' ? manifest : null,
    };
  }
}

interface Options {
  readonly kind?: string;
  readonly exports?: DestinationExports;
  /** Reads lines again; default: as they were. */
  readonly linesAt?: ContentControl['linesAt'];
}

/** Compares lines with three events that were delivered. */
async function compared(lines: readonly string[], options: Options = {}): Promise<Reconciliation> {
  const exported = new ExportedEvents();
  for (const [index, line] of lines.entries()) exported.add(line, { file: 'a.ndjson', line: index + 1 });
  const records = {
    status: async () => ({
      status: 'healthy',
      target_kind: options.kind ?? 'data_stream',
      last_sequence: 3,
      epochs: [{ epoch: 1, first_sequence: 1 }],
    }),
    // oxlint-disable-next-line require-yield
    deliveries: async function* () {},
  };
  const found = await reconcile(exported, records, { from: 1, exportedAt: new Date() });
  return compareContent(found, exported, options.exports ?? new FakeExports([1, 2, 3].map((n) => event(n))), {
    sleep: async () => {},
    linesAt:
      options.linesAt ?? (async (places) => new Map(places.map((place) => [place, lines[place.line - 1] ?? '']))),
  });
}

const line = (sequence: number, more?: Members) => JSON.stringify(event(sequence, more));
const altered = { object: { cidr: '10.0.0.0/9', description: '' } };
const difference = { member: 'object.cidr', delivered: '10.0.0.0/8', held: '10.0.0.0/9' };

describe('the comparison of contents', () => {
  it('finds nothing where the target has serialized the events anew', async () => {
    const { event_id: id, ...rest } = event(2);
    const found = await compared([
      line(1),
      JSON.stringify({ ...rest, event_id: id }, null, 1).replaceAll('\n', ' '),
      line(3),
    ]);
    expect(found).toMatchObject({ altered: [], content: { compared: true, events: 3, uncertain: [] } });
    expect(found.content).toMatchObject({ export: { id: 'exp_1', events: 3 } });
    expect(passes(found, true)).toBe(true);
  });

  it('names an altered event with its line and the members that differ, beside a missing one', async () => {
    const found = await compared([line(1), line(3, altered)]);
    expect(found.missing).toMatchObject([{ sequence: 2, because: 'unknown' }]);
    expect(found.altered).toEqual([
      {
        epoch: 1,
        sequence: 3,
        event_id: 'evt_3',
        lines: [{ file: 'a.ndjson', line: 2, differences: [difference] }],
        has_intact_line: false,
        delivered: null,
      },
    ]);
    expect(passes(found, false)).toBe(false);
  });

  it('names an event that is nested too deeply, and compares the others', async () => {
    for (const levels of [2_000, 200_000]) {
      const deep = line(1, { object: 'deep' }).replace('"deep"', '['.repeat(levels) + ']'.repeat(levels));
      const attributes = JSON.stringify({ attributes: event(2) });
      for (const form of [deep, `{"attributes":${deep}}`]) {
        const found = await compared([form, attributes, line(3, altered)], { kind: 'monitoring' });
        expect(found.altered).toMatchObject([
          { sequence: 1, lines: [{ line: 1, differences: null }], delivered: event(1) },
          { sequence: 3 },
        ]);
      }
    }
  });

  it('finds an alteration that hides behind an intact repeat, whichever comes first', async () => {
    for (const lines of [
      [line(1), line(1, altered), line(1)],
      [line(1, altered), line(1), line(1, altered)],
    ]) {
      const found = await compared([...lines, line(2), line(3)]);
      expect(found).toMatchObject({ repeats: 2, accounted_for: true });
      expect(found.altered).toMatchObject([
        { sequence: 1, has_intact_line: true, lines: [{ differences: [difference] }] },
      ]);
      expect(passes(found, false)).toBe(false);
    }
  });

  it("shows Waybill's event where the line cannot be read again", async () => {
    const standardInput = async () => new Map();
    const found = await compared([line(1, altered), line(2), line(3)], { linesAt: standardInput });
    expect(found.altered).toMatchObject([{ lines: [{ differences: null }], delivered: event(1) }]);
  });

  it.each<[string, ContentControl['linesAt']]>([
    ['is removed', () => Promise.reject(new Error('There is no file a.ndjson.'))],
    ['holds another event there', async (places) => new Map(places.map((place) => [place, line(2)]))],
    ['holds no event there', async (places) => new Map(places.map((place) => [place, 'no JSON']))],
  ])('keeps an alteration when the file %s after it was read', async (_, linesAt) => {
    const found = await compared([line(1, altered), line(2), line(3)], { linesAt });
    expect(found.altered).toMatchObject([{ lines: [{ line: 1, differences: null }], delivered: event(1) }]);
    expect(found.content).toMatchObject({ compared: true, events: 3 });
    expect(passes(found, false)).toBe(false);
  });

  it('compares an event in its first attempt by its id: Waybill does not export a number that it may give back', async () => {
    const inFlight = (sequence: number, more: Members = {}) =>
      event(sequence, {
        epoch: undefined,
        sequence: undefined,
        delivery: { ...delivery, state: 'in_flight', ...more },
      });
    const exports = () => new FakeExports([event(1), inFlight(2), inFlight(3, { backfill_id: 'bf_1' })]);
    const intact = await compared([line(1), line(2), line(3, { backfill: true })], { exports: exports() });
    expect(intact).toMatchObject({ altered: [], accounted_for: true, content: { events: 3, uncertain: [] } });
    const found = await compared([line(1), line(2, altered), line(3, { backfill: true })], { exports: exports() });
    expect(found.altered).toMatchObject([{ sequence: 2, lines: [{ differences: [difference] }] }]);
  });

  it('accuses no event that is before the records that Waybill still has', async () => {
    // Recorded on 1 July 2026.
    const old = { event_id: 'evt_01kwdfkd000000000000000000' };
    const completeSince = '2026-08-01T00:00:00.000Z';
    const exports = new FakeExports([event(2), event(3)], { completeSince });
    const found = await compared([line(1, old), line(2), line(3)], { exports });
    expect(found).toMatchObject({ accounted_for: true });
    expect(found.content).toMatchObject({
      events: 2,
      export: { complete_since: completeSince },
      uncertain: [{ sequence: 1, because: 'before_records' }],
    });
    expect([passes(found, false), passes(found, true)]).toEqual([true, false]);
  });

  it('fails for an event of which Waybill should have a record, and has none', async () => {
    // Recorded on 1 September 2026.
    const recent = { event_id: 'evt_01m1d47z000000000000000000' };
    for (const completeSince of ['2026-08-01T00:00:00.000Z', undefined]) {
      const exports = new FakeExports([event(2), event(3)], { ...(completeSince && { completeSince }) });
      const found = await compared([line(1, recent), line(2), line(3)], { exports });
      expect(found).toMatchObject({ accounted_for: false });
      expect(found.content).toMatchObject({ uncertain: [{ sequence: 1, because: 'no_record' }] });
      expect(passes(found, false)).toBe(false);
    }
  });

  it('names another event with the number as that, not as an alteration', async () => {
    const found = await compared([line(1, { event_id: 'evt_9' }), line(2), line(3)]);
    expect(found).toMatchObject({ altered: [], accounted_for: false });
    const reason = 'Sequence 1 is of evt_1; the export holds evt_9 with it.';
    expect(found.contradictions).toEqual([reason]);
    expect(found.other_events).toEqual([{ epoch: 1, sequence: 1, event_id: 'evt_9', reason }]);
    const ofNoEpoch = [line(2, { epoch: 5 }), line(2, { epoch: 5, event_id: 'evt_9' })];
    expect(await compared([line(1), line(2), line(3), ...ofNoEpoch])).toMatchObject({
      contradictions: expect.arrayContaining(['Sequence 2 of epoch 5 is held by evt_2 and by evt_9.']),
      other_events: [],
    });
  });

  it('does not miss the epoch of an event that was delivered before events had one', async () => {
    const unmarked = [1, 2, 3].map((n) => line(n, { epoch: undefined }));
    expect(await compared(unmarked)).toMatchObject({ altered: [], content: { events: 3, uncertain: [] } });
    const found = await compared([line(1), line(2, { epoch: undefined, ...altered }), line(3)]);
    expect(found.altered).toMatchObject([{ sequence: 2, lines: [{ differences: [difference] }] }]);
    const row = (n: number) => line(n, { epoch: undefined, TimeGenerated: '2026-11-23T09:27:56.1Z' });
    const rows = await compared([1, 2, 3].map(row), { kind: 'log_ingestion' });
    expect(rows).toMatchObject({ altered: [], content: { events: 3, uncertain: [] } });
  });

  it('takes a line of an export of Waybill without its delivery, and counts it', async () => {
    const found = await compared([line(1, { delivery }), line(2), line(3)]);
    expect(found).toMatchObject({ altered: [], of_waybill: 1 });
    expect(passes(found, false)).toBe(false);
  });
});

describe('the form that a target stores events in', () => {
  const row = { TimeGenerated: '2026-11-23T09:27:56.1Z', TenantId: 't', object: '{"cidr":"10.0.0.0/8"}' };

  it('of Azure is compared where it explains every difference', async () => {
    const found = await compared([line(1, row), line(2), line(3)], { kind: 'log_ingestion' });
    expect(found).toMatchObject({ altered: [], content: { events: 3, uncertain: [] } });
  });

  it('of Azure does not hide another value: the event is altered, and what differs is named', async () => {
    const held = [
      { ...row, object: '{"cidr":"10.0.0.0/9"}' },
      { ...row, event_timestamp: '2026-11-23T09:27:56.2Z' },
      { ...row, object: undefined },
      { ...row, note: 'a value where none was delivered' },
    ];
    const members = ['object.cidr', 'event_timestamp', 'object', 'note'];
    for (const [index, one] of held.entries()) {
      const exports = new FakeExports([event(1, { note: null }), event(2), event(3)]);
      const found = await compared([line(1, one), line(2, row), line(3)], { kind: 'log_ingestion', exports });
      expect(found.altered).toMatchObject([
        { sequence: 1, lines: [{ line: 1, differences: [{ member: members[index] }] }] },
      ]);
      expect(found.content).toMatchObject({ events: 3, uncertain: [] });
      expect(passes(found, false)).toBe(false);
    }
  });

  it('of Azure may lack a column, and have further ones: that is no alteration, and is named', async () => {
    const table = { ...row, object: undefined, Region: 'westeurope' };
    const found = await compared([line(1, table), line(2, table), line(3, table)], { kind: 'log_ingestion' });
    expect(found).toMatchObject({ altered: [], content: { events: 0 } });
    const differences = [
      { member: 'object', delivered: { cidr: '10.0.0.0/8' } },
      { member: 'Region', held: 'westeurope' },
    ];
    expect(found.content).toMatchObject({ uncertain: [1, 2, 3].map((sequence) => ({ sequence, differences })) });
    expect([passes(found, false), passes(found, true)]).toEqual([true, false]);
  });

  it('of Datadog is that of its attributes; its message is what was delivered', async () => {
    const attributes = (inner: unknown) => JSON.stringify({ id: 'x', attributes: { attributes: inner } });
    const message = JSON.stringify({ attributes: { message: line(3, altered) } });
    // Datadog takes a dot in a name for a path.
    const dotted = { metadata: { 'team.name': 'a' } };
    const nested = { metadata: { team: { name: 'a' } } };
    const exports = new FakeExports([event(1, dotted), event(2, dotted), event(3)]);
    const lines = [attributes(event(1, nested)), attributes(event(2, { ...altered, ...nested })), message];
    const found = await compared(lines, { kind: 'monitoring', exports });
    expect(found.altered).toMatchObject([{ sequence: 2, lines: [{ differences: [difference] }] }, { sequence: 3 }]);
    expect(found.content).toMatchObject({ events: 3, uncertain: [] });
  });

  it('of Datadog does not hide a value whose path another name has, nor a member that only Azure adds', async () => {
    const attributes = (inner: unknown) => JSON.stringify({ attributes: { attributes: inner } });
    const key = { principal: { credential: { id: 'key_real' } } };
    const dotted = { principal: { 'credential.id': 'key_other', ...key.principal } };
    const both = { metadata: { 'a.b': 'x', a: { b: 'y' } } };
    const added = { _approved: true, Type: 'x' };
    const exports = new FakeExports([event(1, key), event(2, both), event(3)]);
    const lines = [event(1, dotted), event(2, { metadata: { a: { b: 'y' }, 'a.b': 'x' } }), event(3, added)];
    const found = await compared(lines.map(attributes), { kind: 'monitoring', exports });
    const hidden = { member: 'principal["credential.id"]', held: 'key_other' };
    expect(found.altered).toMatchObject([{ sequence: 1, lines: [{ differences: [hidden] }] }]);
    const differences = [
      { member: '_approved', held: 'true' },
      { member: 'Type', held: 'x' },
    ];
    expect(found.content).toMatchObject({ events: 2, uncertain: [{ sequence: 3, differences }] });
  });

  it('excuses nothing in a file of another target', async () => {
    const found = await compared([line(1, { ...altered, TimeGenerated: 'x' }), line(2), line(3)]);
    expect(found.altered).toMatchObject([{ sequence: 1 }]);
  });
});

describe("Waybill's own export", () => {
  const lines = [line(1, altered), line(2), line(3)];

  it.each([
    ['another content', `${JSON.stringify({ ...event(1, altered), delivery })}\n`],
    ['no JSON', 'no JSON\n'],
    ['no end', ''],
  ])('is refused when its bytes are not those of the manifest: %s', async (_, text) => {
    const found = await compared(lines, { exports: new FakeExports([event(1), event(2), event(3)], { text }) });
    expect(found.altered).toEqual([]);
    expect(found.content).toMatchObject({
      compared: false,
      reason: expect.stringContaining("The file of Waybill's export exp_1 is not what its manifest says"),
    });
    expect([passes(found, false), passes(found, true)]).toEqual([true, false]);
  });

  it('that fails leaves the comparison of the numbers, with the reason', async () => {
    const error = { code: 'storage_full', message: 'The disk is full.' };
    const exports = new FakeExports([event(1)], { record: { state: 'failed', error } });
    const found = await compared(lines, { exports });
    expect(found).toMatchObject({ held: 3, accounted_for: true });
    expect(found.content).toEqual({
      compared: false,
      reason: "Waybill's export exp_1 is failed (storage_full): The disk is full.",
    });
  });

  it.each([
    ['no worker begins it', 'pending', 'no worker has begun it'],
    ['its worker has died', 'running', 'its worker has died or hangs, and no other one continues it'],
  ] as const)('is cancelled when %s', async (_, state, why) => {
    const exports = new FakeExports([event(1)], { record: { state } });
    const found = await compared(lines, { exports });
    expect(found).toMatchObject({ held: 3, accounted_for: true });
    expect(found.content).toMatchObject({
      reason: expect.stringContaining(`${why}. It was cancelled. Start a worker`),
    });
    expect(exports.cancelled).toEqual(['exp_1']);
  });

  it('is not created for an export that holds no event', async () => {
    const create = () => Promise.reject(new Error('must not be called'));
    const found = await compared([], { exports: Object.assign(new FakeExports([]), { create }) });
    expect(found.content).toEqual({ compared: true, events: 0, export: null, uncertain: [] });
  });
});
