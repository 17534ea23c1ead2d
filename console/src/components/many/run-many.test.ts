import { expect, it } from 'vitest';
import { ProblemError } from '../../api/problem.js';
import { runMany, type ManyResults } from './run-many.js';

const ids = Array.from({ length: 11 }, (_, index) => `ed_${index}`);

it('does each once, a few at a time, and says why some were not done', async () => {
  const [begun, sizes]: [string[], number[]] = [[], []];
  let [running, most] = [0, 0];
  const run = async (id: string): Promise<string | null> => {
    begun.push(id);
    most = Math.max(most, (running += 1));
    await Promise.resolve();
    running -= 1;
    if (id === 'ed_3') throw new Error('It is paused already.');
    return id === 'ed_5' ? 'The target refused it.' : null;
  };
  const results = await runMany(ids, run, (so: ManyResults) => sizes.push(so.size), new AbortController().signal);
  expect(begun).toEqual(ids);
  expect(most).toBe(4);
  expect(sizes).toEqual(ids.map((_, index) => index + 1));
  expect(results.size).toBe(ids.length);
  expect(new Map([...results].filter(([, result]) => result !== null))).toEqual(
    new Map([
      ['ed_3', 'It is paused already.'],
      ['ed_5', 'The target refused it.'],
    ]),
  );
});

function throttled(seconds: number): Promise<never> {
  const problem = { status: 429, detail: 'There were too many requests.' } as ProblemError['problem'];
  return Promise.reject(new ProblemError(problem, seconds));
}

it('does later what was refused because there were too many requests', async () => {
  const refused = new Set(['ed_0', 'ed_1', 'ed_10']);
  const run = (id: string) => (refused.delete(id) ? throttled(0) : Promise.resolve(null));
  const results = await runMany(ids, run, () => undefined, new AbortController().signal);
  expect(new Set(results.keys())).toEqual(new Set(ids));
  expect(new Set(results.values())).toEqual(new Set([null]));
});

it.each(['meanwhile', 'before'])('ends such a wait when it is stopped %s', async (when) => {
  const stop = new AbortController();
  if (when === 'meanwhile') setTimeout(() => stop.abort());
  const run = (): Promise<never> => {
    if (when === 'before') stop.abort();
    return throttled(3_600);
  };
  const results = await runMany(['ed_0'], run, () => undefined, stop.signal);
  expect(results.size).toBe(0);
});

it('begins no more when it is stopped', async () => {
  const stop = new AbortController();
  const results = await runMany(
    ids,
    () => Promise.resolve(null),
    () => stop.abort(),
    stop.signal,
  );
  expect(results.size).toBeLessThan(ids.length);
});
