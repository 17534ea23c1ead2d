import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../logging/logger.js';
import type { TargetKind } from '../../targets/target.js';
import { TargetClients } from './target-clients.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

/** Clients whose loads the test ends, and what they logged. */
function scripted() {
  const loads: { readonly kind: TargetKind; readonly end: () => void; readonly fail: (error: Error) => void }[] = [];
  const lines: Record<string, unknown>[] = [];
  const targetOf = (kind: TargetKind) => ({
    loadClient: () => new Promise<void>((resolve, reject) => void loads.push({ kind, end: resolve, fail: reject })),
  });
  const logger = createLogger('info', { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { loads, lines, clients: new TargetClients(targetOf, logger) };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

describe('the clients of a process', () => {
  it('are loaded for the kinds in use, at once and each by itself, and reported', async () => {
    const { clients, loads, lines } = scripted();
    const loaded: string[] = [];
    const stop = clients.start(
      () => Promise.resolve(['monitoring', 'log_group']),
      (kind) => loaded.push(kind),
    );
    await settle();
    expect(loads.map(({ kind }) => kind)).toEqual(['monitoring', 'log_group']);
    expect(clients.report()).toEqual([
      { kind: 'monitoring', state: 'loading', loadMs: null },
      { kind: 'log_group', state: 'loading', loadMs: null },
    ]);
    await vi.advanceTimersByTimeAsync(700);
    loads[1]?.end();
    await settle();
    expect(loaded).toEqual(['log_group']);
    expect(clients.report()).toContainEqual({ kind: 'log_group', state: 'loaded', loadMs: 700 });
    expect(lines).toMatchObject([
      { msg: 'loading the client of a target', kind: 'monitoring' },
      { msg: 'loading the client of a target', kind: 'log_group' },
      { msg: 'the client of a target is loaded', kind: 'log_group', duration_ms: 700 },
    ]);
    stop();
  });

  it('are loaded when the first destination is announced, and not before a worker runs', async () => {
    const { clients, loads } = scripted();
    clients.announce('monitoring');
    expect(loads).toEqual([]);
    const stop = clients.start(
      () => Promise.resolve([]),
      () => {},
    );
    clients.announce('data_stream');
    clients.announce('data_stream');
    expect(loads.map(({ kind }) => kind)).toEqual(['data_stream']);
    stop();
    clients.announce('log_group');
    expect(loads).toHaveLength(1);
  });

  it('are loaded within seconds of a destination that another process saved, also after a failed read', async () => {
    const { clients, loads, lines } = scripted();
    let kinds = () => Promise.reject<TargetKind[]>(new Error('Postgres is down'));
    const stop = clients.start(
      () => kinds(),
      () => {},
    );
    await settle();
    expect(lines).toMatchObject([{ msg: 'cannot read which kinds of target have destinations; trying again' }]);
    kinds = () => Promise.resolve(['log_ingestion']);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(loads.map(({ kind }) => kind)).toEqual(['log_ingestion']);
    stop();
  });

  it('are loaded again after a failure, and reported as failed meanwhile', async () => {
    const { clients, loads, lines } = scripted();
    const loaded: string[] = [];
    const stop = clients.start(
      () => Promise.resolve(['monitoring']),
      (kind) => loaded.push(kind),
    );
    await settle();
    loads[0]?.fail(new Error('no such file'));
    await settle();
    expect(clients.report()).toEqual([{ kind: 'monitoring', state: 'failed', loadMs: null }]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(loads).toHaveLength(2);
    loads[1]?.end();
    await settle();
    expect(loaded).toEqual(['monitoring']);
    expect(lines.map(({ level, msg }) => [level, msg])).toEqual([
      [30, 'loading the client of a target'],
      [40, 'cannot load the client of a target; its deliveries wait, and the load is repeated'],
      [30, 'loading the client of a target'],
      [30, 'the client of a target is loaded'],
    ]);
    stop();
  });

  it('are shared by the workers of a process, and a stopped worker hears of none', async () => {
    const { clients, loads } = scripted();
    const heard: string[] = [];
    const start = (name: string) =>
      clients.start(
        () => Promise.resolve(['monitoring']),
        () => heard.push(name),
      );
    const stops = [start('first'), start('stopped')];
    await settle();
    stops[1]?.();
    loads[0]?.end();
    await settle();
    stops.push(start('later'));
    await settle();
    expect(loads).toHaveLength(1);
    expect(heard).toEqual(['first', 'later']);
    for (const stop of stops) stop();
  });
});
