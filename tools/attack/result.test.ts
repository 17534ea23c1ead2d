import { describe, expect, it } from 'vitest';
import { LONGEST_TURN_MS } from './attack.js';
import type { Measured } from './environment/attacked-service.js';
import { Tally } from './environment/tally.js';
import { table, violations } from './result.js';

const requests = { longestMs: 40, statuses: { 200: 9 } };
const quiet = { live: requests, neighbour: requests };
const held: Measured = { ...quiet, longestTurnMs: 20, memoryMb: 200 };

function tallyOf(...heads: readonly { readonly status: number; readonly hasRetryAfter: boolean }[]): Tally {
  const tally = new Tally();
  for (const head of heads) tally.note(head);
  return tally;
}

const usual = tallyOf({ status: 200, hasRetryAfter: false }, { status: 503, hasRetryAfter: true });

describe('violations', () => {
  it('are none where the service refuses with 503 and Retry-After, and ends connections', () => {
    usual.noteUnanswered(3);
    expect(violations(usual, held, quiet)).toEqual([]);
    expect(usual.summary).toBe('200 × 1, 503 × 1, none × 3');
  });

  it.each([
    [{ status: 500, hasRetryAfter: false }, '1 responses with 500'],
    [{ status: 502, hasRetryAfter: true }, '1 responses with 502'],
    [{ status: 503, hasRetryAfter: false }, '1 responses with 503 and no Retry-After'],
    [{ status: 429, hasRetryAfter: false }, '1 responses with 429 and no Retry-After'],
  ])('name the response %j', (head, violation) => {
    expect(violations(tallyOf(head), held, quiet)).toEqual([violation]);
  });

  it.each<readonly [Partial<Measured>, RegExp]>([
    [{ longestTurnMs: null, memoryMb: null }, /process ended/],
    [{ longestTurnMs: LONGEST_TURN_MS + 1 }, /turn of the event loop took 251 ms/],
    [{ neighbour: { ...requests, statuses: { 200: 9, 429: 1 } } }, /1 requests of another account got 429/],
    [{ neighbour: { ...requests, statuses: { 0: 2 } } }, /got no response/],
    [{ neighbour: { ...requests, longestMs: 14_700 } }, /waited 14\.7 s/],
  ])('name what others saw: %j', (changed, violation) => {
    const found = violations(usual, { ...held, ...changed }, quiet);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(violation);
  });

  it('are no wait of a few seconds in the short form, which runs beside other programs', () => {
    const neighbour = { ...held.neighbour, longestMs: 5_000 };
    expect(violations(usual, { ...held, neighbour }, quiet)).toHaveLength(1);
    expect(violations(usual, { ...held, neighbour }, quiet, true)).toEqual([]);
  });

  it('are an attack that sent nothing', () => {
    expect(violations(new Tally(), held, quiet)).toEqual(['no request was sent']);
  });
});

describe('the table', () => {
  it('has a row with a verdict for each attack', () => {
    const result = { attack: 'previews', title: '', seconds: 3, responses: '200 × 9', measured: held, notes: [] };
    const rows = table(
      [
        { ...result, failures: [] },
        { ...result, failures: ['it fell'] },
      ],
      quiet,
    ).split('\n');
    expect(rows[2]).toMatch(/^previews +200 × 9 +20 +200 +1\.0 × +1\.0 × +3 +held$/);
    expect(rows[3]).toMatch(/ FELL$/);
  });
});
