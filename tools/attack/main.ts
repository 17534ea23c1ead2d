import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from '@commander-js/extra-typings';
import { elapsedSince } from '../harness/elapsed.js';
import { listOf } from '../harness/options.js';
import { exitAfterParsing } from '../harness/usage-error.js';
import type { Attack } from './attack.js';
import { attacks } from './attacks.js';
import { AttackEnvironment } from './environment/attack-environment.js';
import { AttackedService } from './environment/attacked-service.js';
import { remarks, table, violations, type AttackResult } from './result.js';

/** Attacks a built service with the default limits and the heap of the image, and says what held. */
const width = Math.max(...attacks.map(({ name }) => name.length));
const options = new Command('node dist/tools/attack/main.js')
  .description('Attacks a service with the default limits and the heap of the image. SECURITY.md says what must hold.')
  .option('--only <names>', 'attacks to run, comma-separated (default: all)', listOf(attacks.map(({ name }) => name)))
  .option('--requests <number>', 'number of generated requests (default: 20000)', count)
  .option('--short', 'the attacks of CI, with less load')
  .option('--json', 'print the results as one JSON document on standard output')
  .addHelpText(
    'after',
    ['\nAttacks:', ...attacks.map(({ name, title }) => `  ${name.padEnd(width)}  ${title}`)].join('\n'),
  )
  .exitOverride(exitAfterParsing)
  .parse()
  .opts();

const startedAt = new Date();
const log = (text: string) => void process.stderr.write(`${elapsedSince(startedAt)} ${text}\n`);
const isShort = options.short === true;
const chosen = attacks.filter(({ name, onlyInFull }) => options.only?.includes(name) ?? !(isShort && onlyInFull));

const folder = await mkdtemp(join(tmpdir(), 'waybill-attack-'));
const service = await AttackedService.open(folder, log);
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void service.close().finally(() => process.exit(1)));

const results: AttackResult[] = [];
try {
  for (const attack of chosen) results.push(await runAttack(attack));
} finally {
  await service.close();
}
const fallen = results.filter(({ failures }) => failures.length > 0);
process.stderr.write(`\n${table(results, service.quiet)}\n\n${remarks(results)}\n\n`);
process.stderr.write(
  fallen.length === 0
    ? `All ${results.length} attacks were held.\n`
    : `${fallen.length} of ${results.length} attacks were NOT held. The logs are in ${folder}\n`,
);
if (options.json) process.stdout.write(`${JSON.stringify({ quiet: service.quiet, results }, null, 2)}\n`);
if (fallen.length === 0) await rm(folder, { recursive: true, force: true });
process.exitCode = fallen.length === 0 && results.length > 0 ? 0 : 1;

/** An attack that fails must not cost the results of the others. */
async function runAttack(attack: Attack): Promise<AttackResult> {
  log(`${attack.name}: ${attack.title}`);
  await service.use(attack.settings ?? {});
  const begun = performance.now();
  const requests = options.requests ?? 20_000;
  const environment = new AttackEnvironment(service, { short: isShort, requests, log: (text) => log(`  … ${text}`) });
  const measured = await service.measure(async () => {
    await attack.run(environment).catch((error: unknown) => {
      environment.expect(!service.isRunning, error instanceof Error ? (error.stack ?? error.message) : String(error));
    });
  });
  environment.close();
  const result: AttackResult = {
    attack: attack.name,
    title: attack.title,
    seconds: (performance.now() - begun) / 1_000,
    responses: environment.tally.summary,
    measured,
    notes: environment.notes,
    failures: [...environment.failures, ...violations(environment.tally, measured, service.quiet, isShort)],
  };
  log(`${result.failures.length === 0 ? 'held' : 'FELL'}: ${remarks([result])}`);
  return result;
}

function count(text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new InvalidArgumentError('Use a whole number above 0.');
}
