import { expect, it } from 'vitest';
import { cpuTimeOf } from './cpu-time.js';

const run = () => 'work';

/** Measures on a machine where all work takes so many times as long, with more in the first runs. */
function machine(slowness: number, takesMs: number) {
  let runs = 0;
  return async (work: () => unknown): Promise<number> => {
    if (work !== run) return 60 * slowness;
    runs += 1;
    return takesMs * slowness * (runs < 3 ? 2 : 1);
  };
}

it('is not divided by a reference that other work has made slow', async () => {
  let references = 0;
  const measure = async (work: () => unknown): Promise<number> => {
    if (work === run) return 120;
    references += 1;
    return references % 2 === 0 ? 600 : 60;
  };
  expect(await cpuTimeOf(run, 1, measure)).toBeCloseTo(2);
});

it('is compared with a reference of the same moments, where the machine has become slow', async () => {
  let slowness = 1;
  const measure = async (work: () => unknown): Promise<number> => slowness * (work === run ? 54 : 60);
  await cpuTimeOf(run, 1, measure);
  slowness = 5;
  expect(await cpuTimeOf(run, 1, measure)).toBeCloseTo(0.9);
});

it.each([0.2, 1, 40])('is that of the work, on a machine that is %i times as slow', async (slowness) => {
  expect(await cpuTimeOf(run, 1, machine(slowness, 54))).toBeCloseTo(0.9);
  expect(await cpuTimeOf(run, 1, machine(slowness, 66))).toBeCloseTo(1.1);
});
