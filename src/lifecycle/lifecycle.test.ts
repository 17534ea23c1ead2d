import { describe, expect, test } from 'vitest';
import { closingPhases, Lifecycle, opened, type ClosingPhase } from './lifecycle.js';
import { provide, tokenOf } from './provide.js';

/** A promise, and what resolves it. */
function deferred<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** Opens a part whose closing is recorded in `log`, and ends when `ending` resolves. */
function open(lifecycle: Lifecycle, log: string[], phase: ClosingPhase, ending?: Promise<void>) {
  return lifecycle.open(
    phase,
    () => phase,
    async () => {
      log.push(`${phase} closes`);
      await ending;
      log.push(`${phase} closed`);
    },
  );
}

describe('closing', () => {
  test('follows the order of the phases, whatever was opened first', async () => {
    const lifecycle = new Lifecycle();
    const log: string[] = [];
    const shuffled: ClosingPhase[] = [
      'traces',
      'work',
      'database',
      'watchdog',
      'session',
      'keys',
      'dispatch',
      'queues',
    ];
    for (const phase of shuffled) await open(lifecycle, log, phase);
    await lifecycle.close();
    expect(log).toEqual(closingPhases.flatMap((phase) => [`${phase} closes`, `${phase} closed`]));
    expect(closingPhases).toEqual(['watchdog', 'work', 'dispatch', 'queues', 'keys', 'session', 'database', 'traces']);
  });

  test('closes the parts of one phase side by side, and waits for all of them', async () => {
    const lifecycle = new Lifecycle();
    const log: string[] = [];
    const slow = deferred<void>();
    await open(lifecycle, log, 'queues');
    await open(lifecycle, log, 'work', slow.promise);
    await open(lifecycle, log, 'work');
    const closed = lifecycle.close();
    await expect.poll(() => log).toEqual(['work closes', 'work closes', 'work closed']);
    slow.resolve();
    await closed;
    expect(log.slice(3)).toEqual(['work closed', 'queues closes', 'queues closed']);
  });

  test('closes every other part after failures, traces last, and throws all errors', async () => {
    const lifecycle = new Lifecycle();
    const log: string[] = [];
    await open(lifecycle, log, 'work', Promise.reject(new Error('a worker does not stop')));
    await open(lifecycle, log, 'queues', Promise.reject(new Error('Redis is away')));
    await open(lifecycle, log, 'database');
    await open(lifecycle, log, 'traces');
    await expect(lifecycle.close()).rejects.toMatchObject({
      errors: [{ message: 'a worker does not stop' }, { message: 'Redis is away' }],
    });
    expect(log.slice(2)).toEqual(['database closes', 'database closed', 'traces closes', 'traces closed']);
  });

  test('happens once', async () => {
    const lifecycle = new Lifecycle();
    const log: string[] = [];
    await open(lifecycle, log, 'work');
    await Promise.all([lifecycle.close(), lifecycle.close()]);
    expect(log).toEqual(['work closes', 'work closed']);
  });

  test('closes a part that is still being opened, and opens no other', async () => {
    const lifecycle = new Lifecycle();
    const store = deferred<string>();
    const closed: string[] = [];
    const opening = lifecycle.open(
      'database',
      () => store.promise,
      (part) => closed.push(part),
    );
    const closing = lifecycle.close();
    await expect(open(lifecycle, closed, 'queues')).rejects.toThrow('The service is closing.');
    store.resolve('store');
    await Promise.all([opening, closing]);
    expect(closed).toEqual(['store']);
  });
});

describe('opening', () => {
  test('ends with the reason of the stop once it was asked for', async () => {
    const stop = new AbortController();
    const lifecycle = new Lifecycle({ stop: stop.signal });
    const log: string[] = [];
    await open(lifecycle, log, 'database');
    stop.abort('SIGTERM');
    await expect(open(lifecycle, log, 'queues')).rejects.toBe('SIGTERM');
    await lifecycle.close();
    expect(log).toEqual(['database closes', 'database closed']);
  });

  test('of a provider gets the other parts', async () => {
    const LIMIT = tokenOf<number>('Limit');
    const lifecycle = new Lifecycle();
    const closed: number[] = [];
    const doubled = provide(LIMIT, [LIMIT], async (limit) => 2 * limit);
    const { inject, useFactory } = opened('queues', doubled, (limit) => closed.push(limit));
    expect(inject).toEqual([Lifecycle, LIMIT]);
    expect(await useFactory(lifecycle, 7)).toBe(14);
    await lifecycle.close();
    expect(closed).toEqual([14]);
  });

  test('starts runners one by one, and stops those that were started when one of them fails', async () => {
    const lifecycle = new Lifecycle();
    const log: string[] = [];
    const runner = (name: string, started: Promise<void>) => ({
      start: () => {
        log.push(`${name} starts`);
        return started;
      },
      stop: async () => void log.push(`${name} stops`),
    });
    const first = deferred<void>();
    const failing = Promise.reject(new Error('The port is in use.'));
    failing.catch(() => {});
    const running = lifecycle.run([
      runner('data plane', first.promise),
      runner('gateway', failing),
      runner('worker', Promise.resolve()),
    ]);
    await expect.poll(() => log).toEqual(['data plane starts']);
    first.resolve();
    await expect(running).rejects.toThrow('The port is in use.');
    await lifecycle.close();
    expect(log).toEqual(['data plane starts', 'gateway starts', 'data plane stops']);
  });
});
