import { writeFileSync } from 'node:fs';
import { cpus, loadavg, platform, release, totalmem } from 'node:os';
import { elapsedSince } from '../elapsed.js';
import { BenchContext, type Bench } from './bench.js';
import { drain, kinds, spread } from './benches/drain.js';
import { fanOut } from './benches/fan-out.js';
import { growth } from './benches/growth.js';
import { latency } from './benches/latency.js';
import { memory } from './benches/memory.js';
import { writes } from './benches/writes.js';
import { openGround, type Ground } from './environment/environment.js';
import { benchCommand } from './options.js';
import { goalCount, headline, markdownTable, missedGoals, table } from './report.js';
import type { Backend, BenchResult } from './result.js';
import { rounded } from './statistics.js';

/** Measures the service: `npm run bench`; docs/benchmarks.md says what each number means. */
const benches: readonly Bench[] = [drain, kinds, spread, latency, writes, fanOut, growth, memory];

const options = benchCommand(benches.map(({ name }) => name))
  .parse()
  .opts();
const startedAt = new Date();
const say = (text: string) => void process.stderr.write(`${text}\n`);

say('Starting Postgres, Redis and two sandboxes…');
const ground = await openGround(options.backend);
const results: BenchResult[] = [];
const failures: string[] = [];
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    failures.push(`ended by ${signal}: what comes after was not measured`);
    void closeGround()
      .then(finish)
      .finally(() => process.exit(1));
  });
}
const backends = availableBackends(ground);
for (const [position, backend] of backends.entries()) {
  const context = new BenchContext(ground, backend, options.scale, options.profile ?? null, (text) =>
    say(`${elapsedSince(startedAt)}   … ${text}`),
  );
  for (const bench of benches.filter(({ name }) => options.only.includes(name))) {
    if (position > 0 && !bench.everyBackend) continue;
    await runBench(bench, context);
  }
}
await closeGround();
await finish();

/** What cannot be ended must not cost the figures. */
async function closeGround(): Promise<void> {
  try {
    await ground.close();
  } catch (error) {
    failures.push(`the stores were not ended: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Says what was found, and with which code the process ends: 1 where events were lost or something was not measured. */
async function finish(): Promise<void> {
  const missed = missedGoals(results);
  say(`\n${table(results)}\n`);
  if (options.scale < 1) say(`At a scale of ${options.scale}: the goals are meant for a scale of 1.`);
  say(
    missed.length === 0
      ? `All ${goalCount(results)} goals are reached.`
      : `Of ${goalCount(results)} goals ${missed.length} are missed:`,
  );
  for (const line of [...missed, ...failures]) say(`  ${line}`);
  const text = `${JSON.stringify(document(), null, 2)}\n`;
  if (options.json) await new Promise<void>((resolve) => process.stdout.write(text, () => resolve()));
  if (options.markdown !== undefined) writeFileSync(options.markdown, `${markdownTable(results)}\n`);
  const lost = results.some(({ deliveries }) => deliveries.lost > 0);
  if (lost) say('EVENTS WERE LOST.');
  process.exitCode = lost || failures.length > 0 ? 1 : 0;
}

/** One bench that cannot be run must not cost the figures of the others. */
async function runBench(bench: Bench, context: BenchContext): Promise<void> {
  say(`${elapsedSince(startedAt)} ${bench.name} on ${context.backend}`);
  try {
    for await (const result of bench.run(context)) {
      results.push(result);
      say(`${elapsedSince(startedAt)} ${headline(result)}`);
    }
  } catch (error) {
    const text = `${bench.name} on ${context.backend} failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
    failures.push(text);
    say(text);
  }
}

function availableBackends({ redis }: Ground): readonly Backend[] {
  if (redis !== null || !options.backend.includes('redis')) return options.backend;
  const message = 'NO REDIS: set REDIS_URL or install redis-server. NOTHING IS MEASURED ON REDIS.';
  say(`\n${'!'.repeat(message.length)}\n${message}\n${'!'.repeat(message.length)}\n`);
  return options.backend.filter((backend) => backend !== 'redis');
}

/** Everything that was found, for programs. */
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
      postgres: ground.postgres.version,
      redis: ground.redis?.version ?? null,
    },
    results,
    goals: goalCount(results),
    missed: missedGoals(results),
    failures,
  };
}
