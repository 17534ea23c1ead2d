import { randomBytes } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import { openRedisWitness } from '../../src/delivery/epochs/redis-witness.js';
import type { NumberMark, Testimony, Witness } from '../../src/delivery/epochs/witness.js';

const redisUrl = inject('redisUrl') ?? '';
const knowing = (epoch: number, lanes: Readonly<Record<string, NumberMark>> = {}, cleanups = 0): Testimony => ({
  epoch,
  lanes: new Map(Object.entries(lanes)),
  cleanups,
});

describe.skipIf(redisUrl === '')('the witness in Redis', () => {
  let prefix: string;
  let witness: Witness;
  beforeEach(() => {
    prefix = `t${randomBytes(6).toString('hex')}`;
    witness = openRedisWitness(redisUrl, prefix);
  });
  afterEach(() => witness.close());

  it('knows nothing at first, then the highest epoch and the highest number of each lane, by epoch first', async () => {
    expect(await witness.read()).toEqual(knowing(0));
    await witness.add(knowing(0, { ed_1: { epoch: 1, sequence: 9 }, ed_2: { epoch: 1_795_411_234, sequence: 2 } }));
    await witness.add(knowing(1_795_411_234, { ed_1: { epoch: 1, sequence: 10 }, ed_2: { epoch: 9, sequence: 50 } }));
    await witness.add(knowing(7));
    const other = openRedisWitness(redisUrl, prefix);
    expect(await other.read()).toEqual(
      knowing(1_795_411_234, { ed_1: { epoch: 1, sequence: 10 }, ed_2: { epoch: 1_795_411_234, sequence: 2 } }),
    );
    await other.close();
  });

  it('takes the numbers of many lanes', async () => {
    const lanes = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`ed_${index}`, { epoch: 1, sequence: index + 1 }]),
    );
    await witness.add(knowing(1, lanes));
    expect(await witness.read()).toEqual(knowing(1, lanes));
  });

  it('forgets the numbers of deleted lanes, and knows that it did', async () => {
    const lanes = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`ed_${index}`, { epoch: 1, sequence: 1 }]),
    );
    await witness.add(knowing(1, lanes));
    await witness.add(knowing(1, {}, 3));
    await witness.forget(Object.keys(lanes).filter((id) => id !== 'ed_7'));
    await witness.forget(['ed_unknown']);
    await witness.add(knowing(1, {}, 2));
    expect(await witness.read()).toEqual(knowing(1, { ed_7: { epoch: 1, sequence: 1 } }, 3));
  });

  it('fails while Redis is away, and does not wait', async () => {
    const away = openRedisWitness('redis://127.0.0.1:1', prefix);
    await expect(away.read()).rejects.toThrow(/max retries per request|Connection is closed|timed out/i);
    await away.close();
  });
});
