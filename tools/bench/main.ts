import { writeFileSync } from 'node:fs';
import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import { elapsedSince } from '../harness/elapsed.js';
import type { Backend } from '../harness/options.js';
import { rounded } from '../harness/statistics.js';
import { exitAfterParsing } from '../harness/usage-error.js';
import { BenchContext, type Bench } from './bench.js';
import { blackHoles } from './benches/black-holes.js';
import { burst } from './benches/burst.js';
import { drain, kinds, spread } from './benches/drain.js';
import { droppedDay } from './benches/dropped-day.js';
import { fanOut } from './benches/fan-out.js';
import { filters } from './benches/filters.js';
import { growth } from './benches/growth.js';
import { heldSnapshot } from './benches/held-snapshot.js';
import { latency } from './benches/latency.js';
import { memory } from './benches/memory.js';
import { neighbours } from './benches/neighbours.js';
import { peers } from './benches/peers.js';
import { publish } from './benches/publish.js';
import { search } from './benches/search.js';
import { through } from './benches/through.js';
import { trickle } from './benches/trickle.js';
import { wideFanOut } from './benches/wide-fan-out.js';
import { writes } from './benches/writes.js';
import { openEnvironment, type BenchEnvironment } from './environment/environment.js';
import { benchCommand } from './options.js';
import { goalCount, headline, markdownTable, missedGoals, table } from './report.js';
import type { BenchResult } from './result.js';

/** Measures the service. docs/benchmarks.md explains each figure. */
const benches: readonly Bench[] = [
  drain,
  kinds,
  spread,
  burst,
  latency,
  trickle,
  through,
  writes,
  publish,
  fanOut,
  wideFanOut,
  filters,
  blackHoles,
  growth,
  heldSnapshot,
  droppedDay,
  search,
  memory,
  neighbours,
  peers,
];

const options = benchCommand(benches.map(({ name }) => name))
  .exitOverride(exitAfterParsing)
  .parse()
  .opts();
const startedAt = new Date();
const log = (text: string) => void process.stderr.write(`${text}\n`);

log('Starting Postgres, Redis and two sandboxes…');
const environment = await openEnvironment(options.backend);
const results: BenchResult[] = [];
const failures: string[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    failures.push(`stopped by ${signal}: later benches were not measured`);
    void closeEnvironment()
      .then(finish)
      .finally(() => process.exit(1));
  });
}
const backends = availableBackends(environment);
for (const [position, backend] of backends.entries()) {
  const { scale, cold = false, profile = null } = options;
  const context = new BenchContext(environment, backend, { scale, cold, profile }, (text) =>
    log(`${elapsedSince(startedAt)}   … ${text}`),
  );
  for (const bench of benches.filter(({ name }) => options.only.includes(name))) {
    if (position > 0 && !bench.everyBackend) continue;
    await runBench(bench, context);
  }
}
await closeEnvironment();
await finish();

/** A server that does not stop must not cost the figures. */
async function closeEnvironment(): Promise<void> {
  try {
    await environment.close();
  } catch (error) {
    failures.push(`the servers did not stop: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Prints the results and sets the exit code: 1 if events were lost or a bench was not measured. */
async function finish(): Promise<void> {
  const missed = missedGoals(results);
  log(`\n${table(results)}\n`);
  if (options.scale < 1) log(`The scale is ${options.scale}. The goals are for a scale of 1.`);
  log(
    missed.length === 0
      ? `All ${goalCount(results)} goals are reached.`
      : `${missed.length} of ${goalCount(results)} goals are missed:`,
  );
  for (const line of [...missed, ...failures]) log(`  ${line}`);
  const text = `${JSON.stringify(document(), null, 2)}\n`;
  if (options.json) await new Promise<void>((resolve) => process.stdout.write(text, () => resolve()));
  if (options.markdown !== undefined) writeFileSync(options.markdown, `${markdownTable(results)}\n`);
  const lost = results.some(({ deliveries }) => deliveries.lost > 0);
  if (lost) log('EVENTS WERE LOST.');
  process.exitCode = lost || failures.length > 0 ? 1 : 0;
}

/** A bench that fails must not cost the figures of the others. */
async function runBench(bench: Bench, context: BenchContext): Promise<void> {
  log(`${elapsedSince(startedAt)} ${bench.name} on ${context.backend}`);
  try {
    for await (const result of bench.run(context)) {
      results.push(result);
      log(`${elapsedSince(startedAt)} ${headline(result)}`);
    }
  } catch (error) {
    const text = `${bench.name} on ${context.backend} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    failures.push(text);
    log(text);
  }
}

function availableBackends({ redis }: BenchEnvironment): readonly Backend[] {
  if (redis !== null || !options.backend.includes('redis')) return options.backend;
  const message = 'NO REDIS: set REDIS_URL or install redis-server. The Redis backend is not measured.';
  log(`\n${'!'.repeat(message.length)}\n${message}\n${'!'.repeat(message.length)}\n`);
  return options.backend.filter((backend) => backend !== 'redis');
}

/** Builds the document of `--json`. */
function document() {
  return {
    started_at: startedAt.toISOString(),
    seconds: Math.round((Date.now() - startedAt.getTime()) / 1_000),
    arguments: process.argv.slice(2),
    scale: options.scale,
    machine: {
      cpu: cpus()[0]?.model ?? '',
      cores: cpus().length,
      memory_gb: rounded(totalmem() / 1e9),
      platform: `${platform()} ${release()}`,
      load_average_at_end: loadavg().map(rounded),
    },
    versions: {
      node: process.version,
      postgres: environment.postgres.version,
      redis: environment.redis?.version ?? null,
    },
    results,
    goals: goalCount(results),
    missed: missedGoals(results),
    failures,
  };
}
