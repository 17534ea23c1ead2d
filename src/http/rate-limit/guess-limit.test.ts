import { setImmediate as settled } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Problem } from '../../problems/problem.js';
import { GuessLimit } from './guess-limit.js';

const ATTACKER = '203.0.113.7';
let now: number;
let lookups: number;
let running: number;
let mostRunning: number;
let valid: Set<string>;
/** Lookups wait for this promise. */
let gate: Promise<void>;
let lines: string[];
let limit: GuessLimit;

beforeEach(() => {
  now = 0;
  lookups = 0;
  running = 0;
  mostRunning = 0;
  valid = new Set(['valid']);
  gate = Promise.resolve();
  lines = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  limit = new GuessLimit(3, logger, () => now);
});

afterEach(() => void vi.useRealTimers());

async function query(token: string): Promise<string | null> {
  lookups += 1;
  running += 1;
  mostRunning = Math.max(mostRunning, running);
  await gate;
  running -= 1;
  if (token === 'down') throw new Error('the store is down');
  return valid.has(token) ? token : null;
}

const lookUp = (token: string, address: string | null) => limit.lookUp('key', token, address, () => query(token));

/** Blocks lookups until the returned function is called. */
function hold(): () => void {
  let open: (() => void) | undefined;
  gate = new Promise((resolve) => (open = resolve));
  return () => open?.();
}

async function guess(token: string, address: string | null = ATTACKER): Promise<'valid' | 'unknown' | 'refused'> {
  try {
    return (await lookUp(token, address)) === null ? 'unknown' : 'valid';
  } catch (error) {
    if (error instanceof Problem && error.code === 'rate_limited') return 'refused';
    throw error;
  }
}

async function guesses(count: number, address?: string): Promise<string[]> {
  const results: string[] = [];
  for (let index = 0; index < count; index += 1) results.push(await guess(`guess ${index}`, address));
  return results;
}

describe('unknown API keys', () => {
  test('from one address are refused after the limit', async () => {
    expect(await guesses(5)).toEqual(['unknown', 'unknown', 'unknown', 'refused', 'refused']);
    expect(lookups).toBe(5);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(ATTACKER);
    expect(lines[0]).not.toContain('guess 3');
  });

  test('are looked up again at the rate of the limit', async () => {
    await guesses(3);
    await expect(lookUp('another', ATTACKER)).rejects.toMatchObject({ retryAfterSeconds: 20 });
    now = 20_000;
    expect(await guesses(2)).toEqual(['unknown', 'refused']);
  });

  test('of other addresses are not affected, and one /64 counts as one address', async () => {
    await guesses(3);
    expect(await guess('guess', '203.0.113.8')).toBe('unknown');
    expect(await guess('guess', null)).toBe('unknown');
    await guesses(3, '2001:db8::1');
    expect(await guess('guess', '2001:db8::2')).toBe('refused');
    expect(await guess('guess', '2001:db8:0:1::2')).toBe('unknown');
  });

  test('are looked up one at a time after the limit, and as many as could be counted before', async () => {
    const open = hold();
    const racing = Promise.all(Array.from({ length: 10 }, (_, index) => guess(`guess ${index}`)));
    await settled();
    open();
    const results = await racing;
    expect(results.filter((result) => result === 'unknown')).toHaveLength(3);
    expect(results.filter((result) => result === 'refused')).toHaveLength(7);
    expect(mostRunning).toBe(4);
    mostRunning = 0;
    await Promise.all(Array.from({ length: 10 }, (_, index) => guess(`later guess ${index}`)));
    expect(mostRunning).toBe(1);
  });

  test('of many networks are looked up four at a time after the limits', async () => {
    const networks = Array.from({ length: 50 }, (_, index) => `198.51.100.${index}`);
    for (const address of networks) await guesses(3, address);
    mostRunning = 0;
    const results = await Promise.all(networks.flatMap((address) => [guess('one', address), guess('two', address)]));
    expect(new Set(results)).toEqual(new Set(['refused']));
    expect(mostRunning).toBe(4);
  });

  test('are refused without a lookup while a thousand lookups wait', async () => {
    await guesses(3);
    const open = hold();
    const waiting = Promise.all(Array.from({ length: 1_001 }, (_, index) => guess(`waiting ${index}`)));
    await settled();
    lookups = 0;
    await expect(lookUp('one more', ATTACKER)).rejects.toMatchObject({ code: 'rate_limited', retryAfterSeconds: 1 });
    expect(lookups).toBe(0);
    open();
    await waiting;
    expect(lookups).toBe(1_000);
  });

  test('are refused without a lookup when the lookup before took ten seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await guesses(3);
    const open = hold();
    const first = guess('first');
    const second = guess('valid');
    await settled();
    lookups = 0;
    await vi.advanceTimersByTimeAsync(10_000);
    open();
    expect([await first, await second]).toEqual(['refused', 'refused']);
    expect(lookups).toBe(0);
    expect(lines.join('')).toContain('wait until their API keys are looked up');
  });
});

describe('a valid API key', () => {
  test('does not count, however often it is used', async () => {
    for (let index = 0; index < 10; index += 1) expect(await guess('valid')).toBe('valid');
    expect(await guesses(4)).toEqual(['unknown', 'unknown', 'unknown', 'refused']);
  });

  test('that was used before is accepted from an address with too many guesses', async () => {
    await guess('valid', '198.51.100.1');
    await guesses(4);
    expect(await guess('valid')).toBe('valid');
  });

  test('that is used for the first time is accepted from an address with too many guesses', async () => {
    await guesses(5);
    expect(await guess('valid')).toBe('valid');
  });

  test('is accepted when many keys are used for the first time at once', async () => {
    const tokens = Array.from({ length: 100 }, (_, index) => `key ${index}`);
    valid = new Set(tokens);
    expect(await Promise.all(tokens.map((token) => guess(token)))).toEqual(Array(100).fill('valid'));
    expect(await guesses(3)).toEqual(['unknown', 'unknown', 'unknown']);
    expect(lines).toEqual([]);
  });

  test('is accepted while guesses of the same address wait', async () => {
    await guesses(3);
    const others = Promise.all(Array.from({ length: 50 }, (_, index) => guess(`racing ${index}`)));
    expect(await guess('valid')).toBe('valid');
    expect(await guess('valid', '203.0.113.8')).toBe('valid');
    expect(new Set(await others)).toEqual(new Set(['refused']));
  });

  test('that many requests use for the first time behind a guesser is accepted for all', async () => {
    await guesses(3);
    expect(await Promise.all(Array.from({ length: 20 }, () => guess('valid')))).toEqual(Array(20).fill('valid'));
  });

  test('that is first used by many requests at once is accepted for all', async () => {
    expect(await Promise.all(Array.from({ length: 20 }, () => guess('valid')))).toEqual(Array(20).fill('valid'));
    expect(await guesses(3)).toEqual(['unknown', 'unknown', 'unknown']);
  });

  test('that was deleted counts as unknown after its first refusal', async () => {
    await guess('valid');
    valid.clear();
    const results = [];
    for (let index = 0; index < 5; index += 1) results.push(await guess('valid'));
    expect(results).toEqual(['unknown', 'unknown', 'unknown', 'unknown', 'refused']);
  });
});

test('a lookup that fails does not count', async () => {
  for (let index = 0; index < 5; index += 1) await expect(guess('down')).rejects.toThrow('the store is down');
  expect(await guess('valid')).toBe('valid');
});
