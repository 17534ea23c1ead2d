import { expect, it, onTestFinished, vi } from 'vitest';
import { idAfter, redeliveryOf } from './deliveries.js';
import { ConnectionError } from './problem.js';

it('names the id after that of a delivery', () => {
  expect(idAfter('dlv_9')).toBe('dlv_10');
  expect(idAfter('dlv_99999999999999')).toBe('dlv_100000000000000');
});

it.each(['', 'dlv_', 'dlv_0', 'dlv_01', 'dlv_-1', 'dlv_1.5', 'dlv_100000000000000', 'evt_1', 'xdlv_1'])(
  'finds no id of a delivery in "%s"',
  (text) => {
    expect(idAfter(text)).toBeNull();
  },
);

it('goes on with a redelivery after an error: the part that failed is the same request', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  const sent: (readonly [from: string, key: string | null])[] = [];
  vi.stubGlobal('fetch', async (_address: string, { body, headers }: { body: string; headers: HeadersInit }) => {
    const { from } = JSON.parse(body) as { from: string };
    sent.push([from, new Headers(headers).get('idempotency-key')]);
    if (sent.length === 2) throw new TypeError('The connection is lost.');
    return Response.json({ count: 2, next_from: from === 'first' ? 'second' : null });
  });
  const redeliver = redeliveryOf('ed_1', { state: 'delivered', from: 'first' });
  await expect(redeliver()).rejects.toThrow(ConnectionError);
  expect(await redeliver()).toBe(4);
  expect(sent.map(([from]) => from)).toEqual(['first', 'second', 'second']);
  expect(sent[2]).toEqual(sent[1]);
  expect(sent[1]?.[1]).not.toBe(sent[0]?.[1]);
});
