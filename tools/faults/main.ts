import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { elapsedSince } from '../harness/elapsed.js';
import { backends, type Backend } from '../harness/options.js';
import { exitAfterParsing } from '../harness/usage-error.js';
import { FaultPostgres } from './environment/fault-postgres.js';
import { ScenarioEnvironment } from './environment/scenario-environment.js';
import { faultsCommand } from './options.js';
import { remarks, table, verdictOf } from './report.js';
import { faultsOf, type FaultResult } from './result.js';
import { ScenarioSkipped, type Scenario } from './scenario.js';
import { scenarios } from './scenarios.js';

/** Injects faults into the service and counts at the sandbox what arrived. */
const options = faultsCommand(scenarios).exitOverride(exitAfterParsing).parse().opts();
const startedAt = new Date();
const log = (text: string) => void process.stderr.write(`${elapsedSince(startedAt)} ${text}\n`);

const folder = await mkdtemp(join(tmpdir(), 'waybill-faults-'));
const postgres = await FaultPostgres.open(folder);
let current: ScenarioEnvironment | undefined;
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void interrupt());

const results: FaultResult[] = [];
try {
  for (const { scenario, backend } of chosenRuns()) results.push(await runScenario(scenario, backend));
} finally {
  await postgres.stop();
}
const failed = results.filter(({ failures }) => failures.length > 0);
process.stderr.write(`\n${table(results)}\n\n${remarks(results)}\n\n`);
const completed = results.filter(({ skipped }) => skipped === null);
process.stderr.write(
  failed.length === 0
    ? `Nothing was lost: all ${completed.length} scenarios passed.\n`
    : `${failed.length} of ${completed.length} FAILED. The logs are in ${folder}\n`,
);
if (options.json) process.stdout.write(`${JSON.stringify(document(), null, 2)}\n`);
if (failed.length === 0) await rm(folder, { recursive: true, force: true });
process.exitCode = failed.length === 0 && completed.length > 0 ? 0 : 1;

function chosenRuns(): readonly { readonly scenario: Scenario; readonly backend: Backend }[] {
  return scenarios
    .filter(({ name }) => options.only?.includes(name) ?? true)
    .flatMap((scenario) => {
      const on = options.short && options.only === undefined ? (scenario.short ?? []) : (scenario.backends ?? backends);
      return on.filter((backend) => options.backend.includes(backend)).map((backend) => ({ scenario, backend }));
    });
}

/** A scenario that fails must not cost the results of the others. */
async function runScenario(scenario: Scenario, backend: Backend): Promise<FaultResult> {
  log(`${scenario.name} on ${backend}: ${scenario.title}`);
  const begun = performance.now();
  let opened: ScenarioEnvironment | undefined;
  let count: FaultResult['count'] = null;
  let skipped: string | null = null;
  const failures: string[] = [];
  try {
    opened = await ScenarioEnvironment.open({
      backend,
      postgres,
      folder: join(folder, `${scenario.name}-${backend}`),
      short: options.short === true,
      log: (text) => log(`  … ${text}`),
    });
    current = opened;
    count = await scenario.run(opened);
    failures.push(...faultsOf(count, scenario));
  } catch (error) {
    if (error instanceof ScenarioSkipped) skipped = error.message;
    else failures.push(error instanceof Error ? (error.stack ?? error.message) : String(error));
  }
  await opened?.close().catch((error: unknown) => failures.push(`The environment did not close: ${String(error)}`));
  current = undefined;
  const seconds = (performance.now() - begun) / 1_000;
  const { name, title } = scenario;
  const result: FaultResult = {
    scenario: name,
    title,
    backend,
    count,
    seconds,
    notes: opened?.notes ?? [],
    skipped,
    failures: [...(opened?.failures ?? []), ...failures],
  };
  log(`${verdictOf(result)}: ${remarks([result])}`);
  return result;
}

async function interrupt(): Promise<void> {
  await current?.close();
  await postgres.stop();
  process.exit(1);
}

/** Builds the document of `--json`. */
function document() {
  return {
    started_at: startedAt.toISOString(),
    seconds: Math.round((Date.now() - startedAt.getTime()) / 1_000),
    arguments: process.argv.slice(2),
    passed: failed.length === 0,
    results,
  };
}
