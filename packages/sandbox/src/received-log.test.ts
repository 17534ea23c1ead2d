import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ReceivedLog } from './received-log.js';

describe('ReceivedLog', () => {
  it('returns the stored events in order, from any position', () => {
    const calls = fc.array(
      fc.record({
        address: fc.constantFrom('a', 'b'),
        bodies: fc.array(fc.string({ unit: 'binary', maxLength: 20 }), { maxLength: 6 }),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(calls, fc.nat(50), (given, after) => {
        const log = new ReceivedLog({ retain: true });
        for (const { address, bodies } of given) {
          log.append(
            'log_group',
            address,
            'utf8',
            bodies.map((body) => ({ body })),
          );
        }
        const expected = given
          .flatMap(({ address, bodies }) => bodies.map((body) => ({ address, body })))
          .map((event, index) => ({ position: index + 1, ...event }));
        const seen = (filter: { address?: string }) =>
          Array.from(log.events({ ...filter, after }), ({ position, address, body }) => ({
            position,
            address,
            body,
          }));
        expect(seen({})).toEqual(expected.filter(({ position }) => position > after));
        expect(seen({ address: 'b' })).toEqual(
          expected.filter(({ position, address }) => position > after && address === 'b'),
        );
      }),
    );
  });

  it('decodes base64 and keeps the other fields of a record', () => {
    const log = new ReceivedLog({ retain: true });
    log.append('data_stream', 'arn', 'base64', [
      { body: Buffer.from('grüße').toString('base64'), partitionKey: 'k', attributes: '{}' },
      { body: Buffer.from('two').toString('base64') },
    ]);
    expect([...log.events()]).toMatchObject([{ body: 'grüße', partitionKey: 'k', attributes: '{}' }, { body: 'two' }]);
    expect([...log.events()][1]).not.toHaveProperty('partitionKey');
  });

  it('counts events and bytes of each address, and continues the positions after a clear', () => {
    const log = new ReceivedLog({ retain: true });
    log.append('monitoring', 'a', 'utf8', [{ body: 'ü' }, { body: 'b' }]);
    log.append('monitoring', 'a', 'utf8', [{ body: 'c' }]);
    expect(log.counts()).toMatchObject([{ target: 'monitoring', address: 'a', events: 3, bytes: 4, repeats: 0 }]);
    log.clear();
    expect(log.counts()).toEqual([]);
    log.append('monitoring', 'a', 'utf8', [{ body: 'd' }]);
    expect([...log.events({ after: 3 })]).toMatchObject([{ position: 4, body: 'd' }]);
  });

  it('counts repeated sequences of an address, also without retaining events', () => {
    const log = new ReceivedLog({ retain: false });
    const send = (address: string, ...sequences: number[]) =>
      log.append(
        'log_group',
        address,
        'utf8',
        sequences.map((sequence) => ({ body: `{"sequence":${sequence}}` })),
      );
    send('a', 1, 2);
    send('a', 2, 3);
    send('b', 2);
    expect(log.counts()).toMatchObject([
      { address: 'a', events: 4, repeats: 1 },
      { address: 'b', events: 1, repeats: 0 },
    ]);
    expect(log.counts().every(({ lastAtMs }) => Math.abs(Date.now() - lastAtMs) < 10_000)).toBe(true);
  });

  it('only counts with retain: false', () => {
    const log = new ReceivedLog({ retain: false });
    log.append('monitoring', 'a', 'utf8', [{ body: 'a' }]);
    expect([...log.events()]).toEqual([]);
    expect(log.counts()).toMatchObject([{ events: 1 }]);
  });
});
