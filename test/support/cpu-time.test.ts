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
    return references === 1 ? 600 : 60;
  };
  expect(await cpuTimeOf(run, 50, measure)).toBeCloseTo(120);
});

it.each([1, 3, 40])('is that of the work, on a machine that is %i times as slow', async (slowness) => {
  expect(await cpuTimeOf(run, 50, machine(slowness, 40))).toBeCloseTo(40);
  expect(await cpuTimeOf(run, 50, machine(slowness, 51))).toBeCloseTo(51);
});
