import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ErasedIndexes } from '../check/erased-indexes.js';
import { TestLog } from '../testing.js';
import { CheckpointError } from './checkpoint.js';
import { erasureText, notesIn, openErasure, parseErasure } from './erasure-record.js';
import { parseVkey } from './note-key.js';

const record = {
  origin: 'waybill.example.com/ed_1/1',
  erasureId: 'ers_1',
  at: '2026-11-21T12:00:00.000Z',
  ranges: [
    [0, 1],
    [2, 9],
  ] as const,
};
const TEXT = 'waybill.example.com/ed_1/1\nerasure ers_1\n2026-11-21T12:00:00.000Z\n0\n2-8\n';

it('is a text that is read as it was written', () => {
  expect(erasureText(record)).toBe(TEXT);
  expect(parseErasure(TEXT)).toEqual(record);
});

it.each([
  ['of a checkpoint', 'waybill.example.com/ed_1/1\n7\n0wjBzVJUy3nHloHBtlyCu5SBx1Tou1LCs6oENUr+8wo=\n'],
  ['without a range', TEXT.replace('0\n2-8\n', '')],
  ['with a range that ends before it begins', TEXT.replace('2-8', '8-2')],
  ['with a range of one index', TEXT.replace('2-8', '2-2')],
  ['with ranges that touch', TEXT.replace('2-8', '1-8')],
  ['with ranges in another order', TEXT.replace('0\n2-8', '2-8\n0')],
  ['with a number that begins with a zero', TEXT.replace('2-8', '02-8')],
  ['with an empty line', TEXT.replace('2-8', '2-8\n')],
  ['without a time', TEXT.replace('2026-11-21T12:00:00.000Z\n', '')],
  ['without the id of an erasure', TEXT.replace('erasure ers_1', 'erasure ')],
])('is no text %s', (_, other) => {
  expect(() => parseErasure(other)).toThrow(CheckpointError);
});

it('is found among others that are in one file', () => {
  const log = new TestLog();
  const notes = [TEXT, TEXT.replace('ers_1', 'ers_2')].map((one) => log.sign(one));
  const twice = notes[0]?.replace(/(— .*\n)$/, '$1$1') ?? '';
  const keys = [parseVkey(log.vkey)];
  expect(notesIn([...notes, twice].join('')).map((note) => openErasure(note, keys).erasureId)).toEqual([
    'ers_1',
    'ers_2',
    'ers_1',
  ]);
  expect(notesIn('')).toEqual([]);
});

it('names each of its indexes, also beside other records', () => {
  const range = fc
    .tuple(fc.nat(60), fc.integer({ min: 1, max: 5 }))
    .map(([start, length]) => [start, start + length] as const);
  fc.assert(
    fc.property(fc.array(range, { maxLength: 12 }), (ranges) => {
      const erased = new ErasedIndexes(ranges.map((one) => ({ ...record, ranges: [one] })));
      const named = (index: number) => ranges.some(([start, end]) => index >= start && index < end);
      const all = Array.from({ length: 70 }, (_, index) => index);
      expect(all.filter((index) => erased.has(index))).toEqual(all.filter(named));
      expect(erased.countBelow(30)).toBe(all.slice(0, 30).filter(named).length);
    }),
  );
});
