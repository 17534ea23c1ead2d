import { expect, it } from 'vitest';
import { showProgress } from '../progress.js';
import type { DestinationExports, ExportRecord } from './export-record.js';
import { ended, stallNotice, type AwaitedExport } from './export-wait.js';

const running = (events: number, reachedAt: string | null = null): ExportRecord => ({
  id: 'exp_1',
  state: 'running',
  progress: { events, reached_at: reachedAt },
  error: null,
  manifest: null,
});

/** Waits for an export that is read as these records, one after the other, and then as the last one. */
async function awaited(
  records: readonly ExportRecord[],
  longestWaitMinutes?: number,
  cancel: (id: string) => Promise<unknown> = async () => null,
) {
  const seen: (AwaitedExport & { readonly atMs: number })[] = [];
  let waitedMs = 0;
  const cancelled: string[] = [];
  let reads = 0;
  const last = records.at(-1) ?? running(0);
  const exports: DestinationExports = {
    create: async () => last,
    get: async () => records[(reads += 1)] ?? last,
    cancel: (id) => {
      cancelled.push(id);
      return cancel(id);
    },
    download: async () => new ReadableStream(),
  };
  const control = {
    onWait: (one: AwaitedExport) => seen.push({ ...one, atMs: waitedMs }),
    sleep: async (ms: number) => void (waitedMs += ms),
  };
  const error = await ended(exports, records[0] ?? last, {
    ...control,
    ...(longestWaitMinutes !== undefined && { longestWaitMinutes }),
  }).then(
    () => null,
    (thrown: unknown) => String(thrown),
  );
  return { seen, cancelled, error, reads };
}

it('says after a minute without progress what is missing, and ends after the longest wait', async () => {
  const { seen, cancelled, error } = await awaited([running(5)], 2);
  expect(seen.slice(0, 7).map(({ atMs }) => atMs)).toEqual([0, 100, 300, 700, 1_500, 2_500, 3_500]);
  expect(seen.map(({ stalledSince }) => stalledSince !== null)).toEqual(seen.map(({ atMs }) => atMs >= 60_000));
  expect(seen.at(-1)?.atMs).toBe(120_500);
  expect(new Set(seen.map(({ stalledSince }) => stalledSince)).size).toBe(2);
  expect(error).toContain("Waybill's export exp_1 has made no progress for 2 minutes, since ");
  expect(error).toContain(
    'its worker has died or hangs, and no other one continues it. It was cancelled. Start a worker',
  );
  expect(cancelled).toEqual(['exp_1']);
});

it('says why it could not cancel', async () => {
  const refused = () => Promise.reject(new Error('The export is being written'));
  const { error } = await awaited([running(5)], 2, refused);
  expect(error).toContain('no other one continues it. It could not be cancelled: The export is being written.');
});

it('returns an export that ends before it can be cancelled', async () => {
  const records = [...Array.from({ length: 124 }, () => running(5)), { ...running(5), state: 'completed' as const }];
  const { error, cancelled } = await awaited(records, 2, () => Promise.reject(new Error('The export has ended')));
  expect([error, cancelled]).toEqual([null, ['exp_1']]);
});

it('waits as long as there is progress: events that are written, or only read, or another attempt', async () => {
  const written = Array.from({ length: 3_000 }, (_, read) => running(Math.floor(read / 50)));
  const visited = Array.from({ length: 3_000 }, (_, read) => running(60, `at ${Math.floor(read / 50)}`));
  const { seen, cancelled, error } = await awaited([
    ...written,
    ...visited,
    running(0),
    { ...running(0), state: 'completed' },
  ]);
  expect(error).toBeNull();
  expect(cancelled).toEqual([]);
  expect(seen).toHaveLength(6_001);
  expect(seen.every(({ stalledSince }) => stalledSince === null)).toBe(true);
});

it('shows a missing worker once for each stop, also where no terminal is', () => {
  const shown: string[] = [];
  const show = showProgress({ isTTY: false, write: (text: string) => shown.push(text) > 0 });
  const stalled = (stalledSince: string | null) =>
    ({ id: 'exp_1', step: 'waiting', done: 0, total: null, stalledSince }) as const;
  for (const since of [null, 'a', 'a', null, 'b']) show(stalled(since));
  expect(shown).toEqual(
    ['a', 'b'].map(
      (since) =>
        `Waybill's export exp_1 has made no progress since ${since}: no worker has begun it. Start a worker if none runs.\n`,
    ),
  );
  expect(stallNotice(stalled(null))).toBeNull();
});
