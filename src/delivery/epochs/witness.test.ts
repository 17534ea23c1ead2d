import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLogger } from '../../logging/logger.js';
import { openFileWitness } from './file-witness.js';
import { WitnessLog } from './witness-log.js';
import { combined, type NumberMark, type Testimony } from './witness.js';

const knowing = (epoch: number, lanes: Readonly<Record<string, NumberMark>> = {}, cleanups = 0): Testimony => ({
  epoch,
  lanes: new Map(Object.entries(lanes)),
  cleanups,
});

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'waybill-witness-'));
});
afterEach(() => rm(folder, { recursive: true }));

describe('the witness in a file', () => {
  it('keeps the highest number of each lane, by epoch first, and leaves no other file', async () => {
    const file = path.join(folder, 'witness.json');
    const witness = openFileWitness(file);
    expect(await witness.read()).toEqual(knowing(0));
    await witness.add(knowing(0, { ed_1: { epoch: 1, sequence: 9 }, ed_2: { epoch: 7, sequence: 1 } }));
    await witness.add(knowing(7, { ed_1: { epoch: 1, sequence: 3 }, ed_2: { epoch: 1, sequence: 50 } }));
    expect(await openFileWitness(file).read()).toEqual(
      knowing(7, { ed_1: { epoch: 1, sequence: 9 }, ed_2: { epoch: 7, sequence: 1 } }),
    );
    expect(await readdir(folder)).toEqual(['witness.json']);
  });

  it('keeps what another process wrote, and writes again what another process overwrote', async () => {
    const file = path.join(folder, 'witness.json');
    const [one, other] = [openFileWitness(file), openFileWitness(file)];
    await one.add(knowing(0, { ed_1: { epoch: 1, sequence: 1 } }));
    await other.add(knowing(0, { ed_2: { epoch: 1, sequence: 2 } }));
    expect((await one.read()).lanes.size).toBe(2);
    // A write at the same moment as that of the first process.
    await writeFile(file, '{"epoch":0,"lanes":{}}');
    await one.add(knowing(0, { ed_3: { epoch: 1, sequence: 3 } }));
    expect([...(await one.read()).lanes.keys()].toSorted()).toEqual(['ed_1', 'ed_3']);
  });

  it('forgets deleted lanes, also those that another process has written, and knows that it did', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    try {
      const file = path.join(folder, 'witness.json');
      const [one, other] = [openFileWitness(file), openFileWitness(file)];
      await one.add(knowing(1, { ed_1: { epoch: 1, sequence: 1 }, ed_2: { epoch: 1, sequence: 2 } }));
      await other.add(knowing(1, { ed_3: { epoch: 1, sequence: 3 } }));
      vi.advanceTimersByTime(61_000);
      // The file has held the marks for a while: the process that wrote them need not keep them.
      await one.add(knowing(1, { ed_2: { epoch: 1, sequence: 4 } }));
      await other.add(knowing(1, {}, 7));
      await other.forget(['ed_1', 'ed_3']);
      await one.add(knowing(1, { ed_2: { epoch: 1, sequence: 5 } }));
      await other.add(knowing(1, { ed_4: { epoch: 1, sequence: 1 } }));
      const left = { ed_2: { epoch: 1, sequence: 5 }, ed_4: { epoch: 1, sequence: 1 } };
      expect(await openFileWitness(file).read()).toEqual(knowing(1, left, 7));
    } finally {
      vi.useRealTimers();
    }
  });

  it.each(['', 'no JSON', '{"epoch":1,"lanes":{"ed_1":[1]}}'])('refuses a file that holds %j', async (text) => {
    const file = path.join(folder, 'witness.json');
    await writeFile(file, text);
    await expect(openFileWitness(file).read()).rejects.toThrow(`${file} is not a witness of Waybill`);
  });
});

it('several witnesses know what one of them knows, and none is read when one cannot be', async () => {
  const [one, other] = ['a', 'b'].map((name) => openFileWitness(path.join(folder, name)));
  if (!one || !other) throw new Error('no witnesses');
  const both = combined([one, other]);
  await one.add(knowing(3, { ed_1: { epoch: 3, sequence: 1 } }));
  await other.add(knowing(1, { ed_1: { epoch: 1, sequence: 8 }, ed_2: { epoch: 1, sequence: 2 } }));
  expect(await both.read()).toEqual(knowing(3, { ed_1: { epoch: 3, sequence: 1 }, ed_2: { epoch: 1, sequence: 2 } }));
  await writeFile(path.join(folder, 'b'), 'broken');
  await expect(both.read()).rejects.toThrow('is not a witness');
});

describe('the log of numbers', () => {
  const logger = createLogger('silent');
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function recorded() {
    const written: Testimony[] = [];
    const failing = { next: false };
    const slow = { ms: 0 };
    const witness = {
      read: async () => knowing(0),
      async add(testimony: Testimony) {
        if (slow.ms > 0) await new Promise((resolve) => setTimeout(resolve, slow.ms));
        if (failing.next) throw new Error('away');
        written.push(testimony);
      },
      forget: async () => {},
      close: async () => {},
    };
    return { written, failing, slow, log: new WitnessLog(witness, logger) };
  }

  it('writes the highest number of each lane once a second, not with each delivery', async () => {
    const { written, log } = recorded();
    for (let sequence = 1; sequence <= 500; sequence += 1) log.note('ed_1', { epoch: 1, sequence });
    log.note('ed_1', { epoch: 1, sequence: 7 });
    log.note('ed_2', { epoch: 1, sequence: 1 });
    expect(written).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(written).toEqual([knowing(0, { ed_1: { epoch: 1, sequence: 500 }, ed_2: { epoch: 1, sequence: 1 } })]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(written).toHaveLength(1);
  });

  it('writes less often what takes long to write, and within 5 seconds', async () => {
    const { written, slow, log } = recorded();
    for (const [ms, pauseMs] of [
      [100, 2_000],
      [900, 5_000],
    ] as const) {
      slow.ms = ms;
      log.note('ed_1', { epoch: 1, sequence: 2 * ms });
      await vi.advanceTimersByTimeAsync(1_000);
      log.note('ed_1', { epoch: 1, sequence: 2 * ms + 1 });
      await vi.advanceTimersByTimeAsync(ms);
      const before = written.length;
      await vi.advanceTimersByTimeAsync(pauseMs + ms - 1);
      expect(written).toHaveLength(before);
      await vi.advanceTimersByTimeAsync(1);
      expect(written).toHaveLength(before + 1);
    }
    await log.close();
  });

  it('keeps what it could not write, and writes the rest when it closes', async () => {
    const { written, failing, log } = recorded();
    failing.next = true;
    log.note('ed_1', { epoch: 1, sequence: 5 });
    await vi.advanceTimersByTimeAsync(1_500);
    expect(written).toEqual([]);
    failing.next = false;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(written).toEqual([knowing(0, { ed_1: { epoch: 1, sequence: 5 } })]);
    log.note('ed_1', { epoch: 1, sequence: 6 });
    await log.close();
    expect(written[1]).toEqual(knowing(0, { ed_1: { epoch: 1, sequence: 6 } }));
  });
});
