import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Caller } from '../../accounts/authenticator.js';
import { Problem } from '../../problems/problem.js';
import { GuessLimit } from './guess-limit.js';

const caller: Caller = {
  accountId: 'acct_1',
  principal: { id: 'usr_1', kind: 'user', name: 'admin', admin: true },
  credential: { id: 'ak_1' },
  active: true,
};

const ATTACKER = '203.0.113.7';
let now: number;
let lookups: number;
let valid: Set<string>;
let gate: Promise<void>;
let lines: string[];
let limit: GuessLimit;

beforeEach(() => {
  now = 0;
  lookups = 0;
  valid = new Set(['valid']);
  gate = Promise.resolve();
  lines = [];
  const authenticator = {
    async authenticate(token: string): Promise<Caller | null> {
      lookups += 1;
      await gate;
      if (token === 'down') throw new Error('the store is down');
      return valid.has(token) ? caller : null;
    },
  };
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  limit = new GuessLimit(authenticator, 3, logger, () => now);
});

async function guess(token: string, address: string | null = ATTACKER): Promise<'valid' | 'unknown' | 'refused'> {
  try {
    return (await limit.authenticate(token, address)) === null ? 'unknown' : 'valid';
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
  test('from one address are refused after the limit, without a lookup', async () => {
    expect(await guesses(5)).toEqual(['unknown', 'unknown', 'unknown', 'refused', 'refused']);
    expect(lookups).toBe(3);
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain(ATTACKER);
    expect(lines[0]).not.toContain('guess 3');
  });

  test('are looked up again at the rate of the limit', async () => {
    await guesses(3);
    await expect(limit.authenticate('another', ATTACKER)).rejects.toMatchObject({ retryAfterSeconds: 20 });
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

  test('count before their lookups end', async () => {
    let open: (() => void) | undefined;
    gate = new Promise((resolve) => (open = resolve));
    const racing = Promise.all(Array.from({ length: 10 }, (_, index) => guess(`guess ${index}`)));
    open?.();
    expect((await racing).filter((result) => result === 'refused')).toHaveLength(7);
    expect(lookups).toBe(3);
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
