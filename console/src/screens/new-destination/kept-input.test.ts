import { QueryClient } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { forgetSession } from '../../api/session.js';
import { forgetInput, keepInput, keptInput, noInput, readInput, type Input } from './kept-input.js';

it('reads what was kept', () => {
  const input: Input = {
    draft: { kind: 'monitoring', auth: 'creds', values: { service: 'audit' } },
    description: 'Security lake',
    types: [{ type: 'a.v0', filter: 'true', isChecked: true }],
    tested: { verdict: 'delivered', etag: '"1"' },
  };
  expect(readInput(JSON.parse(JSON.stringify(input)))).toEqual(input);
});

it.each([
  null,
  'text',
  { draft: { kind: 'other', values: { a: 1 } }, description: 2, types: [null, { type: 1 }], tested: { verdict: 'x' } },
])('leaves out of %j what does not fit', (kept) => {
  expect(readInput(kept)).toEqual(noInput);
});

describe('kept input', () => {
  afterEach(() => vi.unstubAllGlobals());

  const input: Input = { ...noInput, description: 'Security lake' };
  const ofPerson = (id: string) => ({ account_id: 'acc_1', principal: { id } });

  /** A storage as a browser has it: its keys are its own members. */
  function makeStorage(): Storage {
    // The methods are on the prototype, as in a browser.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return Object.create({
      getItem(this: Record<string, string>, key: string) {
        return this[key] ?? null;
      },
      setItem(this: Record<string, string>, key: string, text: string) {
        this[key] = text;
      },
      removeItem(this: Record<string, string>, key: string) {
        delete this[key];
      },
    }) as Storage;
  }

  it('is of one person, and of one destination', () => {
    vi.stubGlobal('sessionStorage', makeStorage());
    keepInput(ofPerson('usr_1'), undefined, input);
    expect(keptInput(ofPerson('usr_1'), undefined)).toEqual(input);
    expect(keptInput(ofPerson('usr_2'), undefined)).toBeNull();
    expect(keptInput(ofPerson('usr_1'), 'ed_1')).toBeNull();
    forgetInput(ofPerson('usr_1'), undefined);
    expect(keptInput(ofPerson('usr_1'), undefined)).toBeNull();
  });

  it.each(['with a storage', 'without one'])('ends with the session, %s', (name) => {
    const storage = name === 'without one' ? undefined : makeStorage();
    vi.stubGlobal('sessionStorage', storage);
    keepInput(ofPerson('usr_1'), undefined, input);
    keepInput(ofPerson('usr_2'), 'ed_1', input);
    expect(keptInput(ofPerson('usr_2'), 'ed_1')).toEqual(input);
    expect(Object.keys(storage ?? {})).toHaveLength(storage ? 2 : 0);
    forgetSession(new QueryClient());
    expect(Object.keys(storage ?? {})).toEqual([]);
    expect([keptInput(ofPerson('usr_1'), undefined), keptInput(ofPerson('usr_2'), 'ed_1')]).toEqual([null, null]);
  });
});
