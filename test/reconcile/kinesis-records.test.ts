import { ExportedEvents } from '@waybill/reconcile';
import { expect, it } from 'vitest';
import { aggregate } from '../../src/targets/aws-kinesis/aggregate.js';

const event = (sequence: number) => JSON.stringify({ event_id: `evt_${sequence}`, sequence });

function holding(...lines: readonly string[]): ExportedEvents {
  const exported = new ExportedEvents();
  for (const line of lines) exported.add(line);
  return exported;
}

it('a reconciliation reads the events of a record of Kinesis, aggregated or not', () => {
  const record = (data: Uint8Array) =>
    JSON.stringify({ SequenceNumber: '49', PartitionKey: 'ipp_1', Data: Buffer.from(data).toString('base64') });
  const aggregated = aggregate(
    'ipp_1',
    [2, 3, 4].map((sequence) => Buffer.from(event(sequence))),
  );
  const exported = holding(record(Buffer.from(event(1))), record(aggregated), record(aggregated));
  expect(exported.counts).toMatchObject({ events: 4, repeats: 3, outOfOrder: 0 });
  expect(() => holding(record(Buffer.from('{}')))).toThrow('holds no event');
  expect(() => holding(record(aggregated.subarray(0, 40)))).toThrow('holds a broken record of Kinesis');
  // Altered, and still readable: only the checksum tells.
  const altered = Buffer.from(aggregated);
  altered.write('evt_9', altered.indexOf('evt_'));
  expect(() => holding(record(altered))).toThrow('holds a broken record of Kinesis');
  expect(() => holding('{"Data":"%"}')).toThrow('holds a broken record of Kinesis');
});
