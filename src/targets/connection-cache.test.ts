import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConnectionCache } from './connection-cache.js';
import type { Connection } from './target.js';

/** A connection that counts its closes. */
class CountingConnection implements Connection {
  closes = 0;
  send(): Promise<readonly []> {
    return Promise.resolve([]);
  }
  close(): Promise<void> {
    this.closes += 1;
    return Promise.resolve();
  }
}

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('ConnectionCache', () => {
  it('opens one connection for concurrent and later borrowers', async () => {
    const cache = new ConnectionCache({ max: 2 });
    const opened: CountingConnection[] = [];
    const open = async (): Promise<CountingConnection> => {
      await settled();
      const connection = new CountingConnection();
      opened.push(connection);
      return connection;
    };
    const key = { destinationId: 'ed_1', version: '1' };
    const [first, second] = await Promise.all([cache.borrow(key, open), cache.borrow(key, open)]);
    first.release();
    second.release();
    const third = await cache.borrow(key, open);
    expect(opened).toHaveLength(1);
    expect(third.connection).toBe(opened[0]);
    expect(opened[0]?.closes).toBe(0);
  });

  it('opens another connection for another version, and closes the old one after its last release', async () => {
    const cache = new ConnectionCache({ max: 2 });
    const [old, current] = [new CountingConnection(), new CountingConnection()];
    const before = await cache.borrow({ destinationId: 'ed_1', version: '1' }, () => old);
    const after = await cache.borrow({ destinationId: 'ed_1', version: '2' }, () => current);
    expect(after.connection).toBe(current);
    await settled();
    expect(old.closes).toBe(0);
    before.release();
    before.release();
    await settled();
    expect([old.closes, current.closes]).toEqual([1, 0]);
  });

  it('does not cache a connection that failed to open', async () => {
    const cache = new ConnectionCache({ max: 2 });
    const key = { destinationId: 'ed_1', version: '1' };
    await expect(cache.borrow(key, () => Promise.reject(new Error('no secret')))).rejects.toThrow('no secret');
    expect(cache.size).toBe(0);
    const connection = new CountingConnection();
    expect((await cache.borrow(key, () => connection)).connection).toBe(connection);
  });

  it('closes idle connections on close, borrowed ones on release, and lends none afterwards', async () => {
    const cache = new ConnectionCache({ max: 4 });
    const [idle, busy] = [new CountingConnection(), new CountingConnection()];
    (await cache.borrow({ destinationId: 'ed_1', version: '1' }, () => idle)).release();
    const borrowed = await cache.borrow({ destinationId: 'ed_2', version: '1' }, () => busy);
    await cache.close();
    expect([idle.closes, busy.closes]).toEqual([1, 0]);
    borrowed.release();
    await settled();
    expect(busy.closes).toBe(1);
    await expect(cache.borrow({ destinationId: 'ed_1', version: '1' }, () => idle)).rejects.toThrow('closed');
  });

  it('never closes a borrowed connection, and leaves no evicted one open, whatever the order of use', async () => {
    const steps = fc.array(fc.record({ destination: fc.nat(4), version: fc.nat(2), releaseAt: fc.nat(6) }), {
      maxLength: 40,
    });
    await fc.assert(
      fc.asyncProperty(steps, fc.integer({ min: 1, max: 3 }), async (uses, max) => {
        const cache = new ConnectionCache({ max });
        const all: CountingConnection[] = [];
        const waiting = new Map<number, (() => void)[]>();
        for (const [now, { destination, version, releaseAt }] of uses.entries()) {
          const key = { destinationId: `ed_${destination}`, version: String(version) };
          const { connection, release } = await cache.borrow(key, () => {
            const opened = new CountingConnection();
            all.push(opened);
            return opened;
          });
          const give = (): void => {
            expect(all.find((one) => one === connection)?.closes).toBe(0);
            release();
          };
          waiting.set(now + releaseAt, [...(waiting.get(now + releaseAt) ?? []), give]);
          for (const due of waiting.get(now) ?? []) due();
          waiting.delete(now);
          await settled();
        }
        for (const due of [...waiting.values()].flat()) due();
        await settled();
        expect(cache.size).toBeLessThanOrEqual(max);
        expect(all.filter(({ closes }) => closes === 0)).toHaveLength(cache.size);
        await cache.close();
        expect(all.every(({ closes }) => closes === 1)).toBe(true);
      }),
    );
  });
});
