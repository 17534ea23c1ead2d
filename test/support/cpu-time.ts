/** Repetitions of a slow run: other processes, a garbage collection or the compiler may have made it slow. */
const REPETITIONS = 10;

/** Runs of the reference before a comparison, of which the fastest counts. */
const FIRST_RUNS = 4;

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

/** Returns the CPU time of some work, in milliseconds. */
type Measure = (work: () => unknown) => Promise<number>;

const measured: Measure = async (work) => {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
};

/** CPU time of the reference before the first comparison. */
const firstReferences = new WeakMap<Measure, number>();

async function firstReference(measure: Measure): Promise<number> {
  let least = firstReferences.get(measure) ?? Number.POSITIVE_INFINITY;
  if (least < Number.POSITIVE_INFINITY) return least;
  for (let run = 0; run < FIRST_RUNS; run += 1) least = Math.min(least, await measure(reference));
  firstReferences.set(measure, least);
  return least;
}

/**
 * Returns the CPU time of `run`, as a multiple of that of a reference: the parse, sort and serialization of 400 kB of
 * JSON, three times. A slow or busy machine makes both slower. Where a run is above `most`, both are repeated, and the
 * fastest of each count: other work of the machine makes some runs slower, and none faster.
 */
export async function cpuTimeOf(run: () => unknown, most: number, measure = measured): Promise<number> {
  const first = await firstReference(measure);
  let leastRun = await measure(run);
  // Nearly all runs.
  if (leastRun <= most * first) return leastRun / first;
  let leastReference = Number.POSITIVE_INFINITY;
  for (let repetition = 0; repetition < REPETITIONS; repetition += 1) {
    leastReference = Math.min(leastReference, await measure(reference));
    leastRun = Math.min(leastRun, await measure(run));
    if (leastRun <= most * leastReference) break;
  }
  return leastRun / leastReference;
}
