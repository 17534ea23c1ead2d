import { afterEach, expect, it, vi } from 'vitest';
import { MOST_NEWER, readNewer, type NewerEvents } from './events.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

function idOf(number: number): string {
  return `evt_${String(number).padStart(3, '0')}`;
}

it('looks for newer events after the list was read again, also where it had lacked too many', async () => {
  const committed = Array.from({ length: MOST_NEWER }, (_, index) => idOf(index));
  vi.stubGlobal('fetch', (address: string) => {
    const asked = new URL(address, 'https://console.test').searchParams;
    const [before, after] = [asked.get('before_id'), asked.get('after_id') ?? ''];
    const found = committed.filter((id) => (before === null ? id > after : id < before));
    const events = found.map((id) => ({ id, type: '', created_at: '', resource_id: '', payload: null }));
    return Promise.resolve(Response.json({ events, uri: '', next_page_uri: null }));
  });
  const listed = new Set([idOf(500)]);
  const read = (known: NewerEvents) => readNewer({}, known, (id) => listed.has(id), new AbortController().signal);
  const tooMany = await read({ rows: [], after: idOf(500), since: Date.now() });
  expect(tooMany.rows).toHaveLength(MOST_NEWER);
  for (const id of committed) listed.add(id);
  committed.push(idOf(501));
  expect((await read(tooMany)).rows.map(({ id }) => id)).toEqual([idOf(501)]);
});
