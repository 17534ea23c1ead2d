import { QueryClient } from '@tanstack/react-query';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { forgetSession } from '../../api/session.js';
import type { TargetKind } from '../../api/target-kinds.js';
import { forgetTexts } from '../../preferences/kept-text.js';
import { forgetInput, keepInput, keptInput, noInput, readInput, type Input } from './kept-input.js';

const [stream, logs] = ['stream', 'logs'].map((kind): TargetKind => ({
  kind,
  title: kind,
  credentials: [],
  permissions: null,
  schema: { properties: { service: { type: 'string', pattern: '^[a-z]{1,9}$' } } },
}));
const kinds = [stream, logs].flatMap((kind) => kind ?? []);
const none = noInput(kinds);

it('reads what was kept', () => {
  const input: Input = {
    draft: { ...none.draft, values: { service: 'audit' } },
    description: 'Security lake',
    types: [{ type: 'a.v0', filter: 'true', isChecked: true }],
    tested: { verdict: 'delivered', etag: '"1"' },
  };
  const kept = { ...input, draft: { ...input.draft, kind: 'stream' } };
  expect(readInput(JSON.parse(JSON.stringify(kept)), kinds)).toEqual(input);
});

it.each([
  null,
  'text',
  { draft: { kind: 'other', values: { a: 1 } }, description: 2, types: [null, { type: 1 }], tested: { verdict: 'x' } },
])('leaves out of %j what does not fit', (kept) => {
  expect(readInput(kept, kinds)).toEqual(none);
});

describe('kept input', () => {
  afterEach(() => vi.unstubAllGlobals());

  const input: Input = { ...none, draft: { kind: logs ?? none.draft.kind, values: { service: 'audit' } } };
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
    expect(keptInput(ofPerson('usr_1'), undefined, kinds)).toEqual(input);
    expect(keptInput(ofPerson('usr_2'), undefined, kinds)).toBeNull();
    expect(keptInput(ofPerson('usr_1'), 'ed_1', kinds)).toBeNull();
    forgetInput(ofPerson('usr_1'), undefined);
    expect(keptInput(ofPerson('usr_1'), undefined, kinds)).toBeNull();
  });

  it.each(['with a storage', 'without one'])('stays when a session ends, for its person only, %s', (name) => {
    const storage = name === 'without one' ? undefined : makeStorage();
    vi.stubGlobal('sessionStorage', storage);
    keepInput(ofPerson('usr_1'), undefined, input);
    keepInput(ofPerson('usr_2'), 'ed_1', input);
    const kept = () => [
      keptInput(ofPerson('usr_1'), undefined, kinds),
      keptInput(ofPerson('usr_2'), 'ed_1', kinds),
      Object.keys(storage ?? {}).length,
    ];
    forgetSession(new QueryClient());
    expect(kept()).toEqual([input, input, storage ? 2 : 0]);
    // Another person signs in, and signs out.
    forgetTexts(ofPerson('usr_2'));
    expect(kept()).toEqual([null, input, storage ? 1 : 0]);
    forgetTexts();
    expect(kept()).toEqual([null, null, 0]);
  });
});
