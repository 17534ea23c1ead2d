/** Repetitions of a slow run: other processes, a garbage collection or the compiler may have made it slow. */
const REPETITIONS = 6;

/** CPU time of `reference` on the machine for which the limits were chosen, in milliseconds. */
const REFERENCE_MS = 60;

const BODY = JSON.stringify(Array.from({ length: 15_000 }, (_, index) => ({ [`name-${index}`]: `value ${index}` })));

/** Work of a fixed size, of the kind that a request causes: parse, sort, match and serialize. */
function reference(): number {
  let found = 0;
  for (let round = 0; round < 3; round += 1) {
    const parsed = JSON.parse(BODY) as readonly Readonly<Record<string, string>>[];
    const names = parsed.flatMap((one) => Object.keys(one)).toSorted((a, b) => (a < b ? -1 : 1));
    found += JSON.stringify(parsed).length + names.filter((name) => /^name-\d+$/.test(name)).length;
  }
  return found;
}

/**
 * Returns the CPU time of `run`, in milliseconds of the machine for which limits are chosen. Where a run is above
 * `limitMs`, the reference is run as well: a slow or busy machine makes both slower. Both are repeated, and the fastest
 * of each count: other work of the machine makes some runs slower, and none faster.
 * @param measure returns the CPU time of some work, in milliseconds of this machine
 */
export async function cpuTimeOf(run: () => unknown, limitMs: number, measure = measured): Promise<number> {
  let leastRun = Number.POSITIVE_INFINITY;
  let leastReference = Number.POSITIVE_INFINITY;
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    leastRun = Math.min(leastRun, await measure(run));
    if (leastRun <= limitMs) return leastRun;
    leastReference = Math.min(leastReference, await measure(reference));
  }
  return leastRun / Math.max(1, leastReference / REFERENCE_MS);
}

async function measured(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}
