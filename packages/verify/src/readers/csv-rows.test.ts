import fc from 'fast-check';
import { expect, it } from 'vitest';
import { LineSplitter } from './line-splitter.js';

it('the rows of a CSV export become the events in them, whatever their cells are and in whatever pieces they arrive', () => {
  const unit = fc.constantFrom('"', '\n', '\r\n', ',', 'a', ';', "'", '{', '');
  const cell = fc.array(unit, { maxLength: 6 }).map((units) => units.join(''));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(cell, cell, cell)),
      fc.integer({ min: 1, max: 9 }),
      fc.boolean(),
      (rows, size, ends) => {
        const text = [['event_id', 'event_type', 'event'], ...rows]
          .map((cells) => cells.map((one) => `"${one.replaceAll('"', '""')}"`).join(','))
          .join('\r\n');
        const found: string[] = [];
        const lines = new LineSplitter('export.csv', (line) => found.push(line));
        for (const piece of `${text}${ends ? '\r\n' : ''}`.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? [])
          lines.push(piece);
        lines.end();
        expect(found).toEqual(['', ...rows.map(([, , event]) => event)]);
      },
    ),
  );
});

it.each(['x', '""'])('a long cell of %j is read', (unit) => {
  const found: string[] = [];
  const lines = new LineSplitter('export.csv', (line) => found.push(line));
  lines.push(`"event_id","event_type","event"\n"1","2","${unit.repeat(9_000_000)}"\n`);
  // The message of a failed comparison would hold the cell.
  expect(found[1] === unit.charAt(0).repeat(9_000_000)).toBe(true);
});

it('a line that is too long, and a CSV export without events, are named with the file', () => {
  const lines = new LineSplitter('export.csv', () => {});
  lines.push('"event_id","event_type","event"\n"1","2","3"\n');
  const long = () => lines.push(`"${'x'.repeat(32_000_000)}`);
  expect(long).toThrow(/^export\.csv, line 3 is too long\. An export holds one event a line\.$/);
  const without = () => new LineSplitter('export.csv', () => {}).push('"event_id","event_type","id"\n');
  expect(without).toThrow(/^export\.csv, line 1 has no column `event`: /);
});

it('a fault of what takes the lines is thrown as it is', () => {
  const fault = new RangeError('Invalid string length');
  const lines = new LineSplitter('export', () => {
    throw fault;
  });
  expect(() => lines.push('{}\n')).toThrow(fault);
});
