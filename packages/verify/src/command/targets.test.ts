import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { canonicalJson } from '../readers/canonical-json.js';
import { TestLog } from '../testing.js';
import { changed, clean, lines, logOf, TestRuns, unnumberedLine, type Event } from './testing.js';

const runs = new TestRuns();
afterAll(() => runs.remove());

const NO_TILES = { tiles: false };

describe('the export of a target', () => {
  const { log: few, events: sent } = logOf(6);
  const texts = sent.map((event) => JSON.stringify(event));
  const reserialised = sent.map((event) => JSON.parse(canonicalJson(event)));
  const row = (event: Event) => ({
    TenantId: 't',
    TimeGenerated: '2026-11-21T10:00:00Z',
    ...event,
    principal: event.principal ?? null,
    changes: null,
    repaired: null,
    occurred_at: '',
    backfill: event.backfill ?? null,
    event_timestamp: String(event.event_timestamp).replace('.120Z', '.1200000Z'),
    object: JSON.stringify(event.object),
    _ResourceId: '/subscriptions/1',
  });

  it.each([
    ['Firehose, as objects in S3', texts.map((text) => `${text}\n`).join('')],
    ['Firehose, compressed', gzipSync(texts.map((text) => `${text}\n`).join(''))],
    ['Firehose, as joined members of gzip', Buffer.concat(texts.map((text) => gzipSync(`${text}\n`)))],
    ['Kinesis', lines(texts.map((text) => ({ Data: Buffer.from(text).toString('base64'), PartitionKey: 'a' })))],
    ['CloudWatch', lines(texts.map((message) => ({ message, timestamp: 1, eventId: '1' })))],
    ['Datadog, as text', lines(texts.map((message) => ({ id: 'A', attributes: { message, service: 'waybill' } })))],
    [
      'Datadog, as attributes',
      lines(reserialised.map((attributes) => ({ id: 'A', attributes: { attributes, service: 'waybill' } }))),
    ],
    ['Azure, as rows', lines(sent.map(row))],
    [
      'Waybill itself',
      lines(sent.map((event) => ({ ...event, delivery: { destination_id: 'ed_1', projected: false } }))),
    ],
  ])('of %s is verified', async (_, text) => {
    expect(await runs.verify(text, few, NO_TILES)).toMatchObject(clean);
  });

  it('of Waybill as CSV is verified by its column `event`, and an altered character is found', async () => {
    const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const rows = sent.map((event) => {
      const line = { ...event, delivery: { destination_id: 'ed_1', projected: false } };
      return [String(event.event_id), 'a "b"\n;\r\nc', JSON.stringify(line)].map(cell).join(',');
    });
    const csv = ['"event_id","event_type","event"', ...rows, ''].join('\r\n');
    const verified = await runs.verify(csv, few, NO_TILES);
    expect(verified).toMatchObject(clean);
    expect(verified.text).toContain('only the column `event` is verified');
    expect(verified.text).toContain('6 lines are of an export of Waybill, not of the target.');
    const altered = await runs.verify(csv.replace('""total"":25', '""total"":26'), few);
    expect(altered).toMatchObject({ exitCode: 1, findings: [{ verdict: 'altered', sequence: 3, line: 4 }] });
    expect(await runs.verify(csv.slice(0, -10), few)).toMatchObject({ counts: { unreadable: 1, cut_at_the_end: 1 } });
  });

  it('of Waybill itself is no evidence of the target, and CSV without a destination has no whole events', async () => {
    const own = await runs.verify(
      lines(sent.map((event) => ({ ...event, delivery: { destination_id: 'ed_1', projected: false } }))),
      few,
    );
    expect(own.text).toContain('6 lines are of an export of Waybill, not of the target.');
    const pending = unnumberedLine(sent[0]);
    const html = await runs.file('', 'report.html');
    const given = ['--checkpoint', await runs.file(few.checkpoint(), 'checkpoint'), '--key', few.vkey, '--html', html];
    const waiting = await runs.result([await runs.file(lines([...sent, pending])), ...given]);
    expect(waiting).toMatchObject({ ...clean, unnumbered: 1 });
    expect(waiting.text).toContain('1 event has no number yet: not verified.');
    expect(await readFile(html, 'utf8')).toContain('1 event has no number yet: not verified.');
    const other = await runs.verify(
      lines([...sent, changed(pending, { delivery: undefined }), { ...pending, sequence: '7' }]),
      few,
      NO_TILES,
    );
    expect(other).toMatchObject({ counts: { unreadable: 2 }, unnumbered: 0 });
    await expect(runs.verify('"event_id","event_type","ip"\r\n', few)).rejects.toThrow('no column `event`');
  });

  it('may lose what no double holds, and then the event is not verified', async () => {
    const exact = new TestLog();
    // JSON.parse makes the nearest double of the number, as the service does.
    const big = exact.append({ event_id: 'evt_1', object: JSON.parse('{"n":12345678901234567890,"f":0.1}') });
    const text = JSON.stringify(big);
    expect(text).toContain('12345678901234567000');
    expect(
      await runs.verify(text.replace('12345678901234567000', '12345678901234567890'), exact, NO_TILES),
    ).toMatchObject(clean);
    expect(
      await runs.verify(text.replace('12345678901234567000', '1.2345678901234567e19'), exact, NO_TILES),
    ).toMatchObject(clean);
    expect(
      await runs.verify(text.replace('12345678901234567000', '12345678901234570000'), exact, NO_TILES),
    ).toMatchObject({
      exitCode: 1,
    });
    expect(
      await runs.verify(text.replace('12345678901234567000', '"12345678901234567000"'), exact, NO_TILES),
    ).toMatchObject({ exitCode: 1 });
  });

  it.each<[string, (event: Event) => Event]>([
    [
      'drops members that are null',
      (event: Event) => ({ ...event, object: { ...Object(event.object), parent: undefined } }),
    ],
    ['drops empty texts', (event: Event) => ({ ...event, object: { ...Object(event.object), notes: undefined } })],
    ['drops empty lists', (event: Event) => ({ ...event, object: { ...Object(event.object), items: undefined } })],
    [
      'rewrites times',
      (event: Event) => ({ ...event, event_timestamp: String(event.event_timestamp).replace('Z', '+00:00') }),
    ],
  ])('that %s is not verified', async (_, change) => {
    expect(await runs.verify(lines(sent.map(change)), few)).toMatchObject({ exitCode: 1, counts: { altered: 6 } });
  });
});
