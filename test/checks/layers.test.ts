import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';

const root = resolve(import.meta.dirname, '../..');

/** Files that each break one rule, by the rule's name. */
const offenders: readonly (readonly [rule: string, file: string, text: string])[] = [
  ['foundation-knows-only-foundation', 'src/ids/a.ts', "import '../delivery/queue.js';"],
  ['accounts-is-the-top-of-the-foundation', 'src/secrets/a.ts', "import '../accounts/account.js';"],
  ['targets-know-only-plain-foundation', 'src/targets/a.ts', "import '../database/table.js';"],
  ['targets-know-nothing-of-nest-sql-or-queues', 'src/targets/b.ts', "import 'kysely';"],
  ['targets-know-nothing-of-nest-sql-or-queues', 'src/targets/c.ts', "import '@nestjs/common';"],
  ['targets-know-nothing-of-nest-sql-or-queues', 'src/targets/d.ts', "import type {} from 'bullmq';"],
  ['vendors-only-in-targets', 'src/delivery/a.ts', "import '@aws-sdk/client-kinesis';"],
  ['delivery-knows-only-what-is-below', 'src/delivery/b.ts', "import '../events/event.js';"],
  ['events-knows-only-what-is-below', 'src/events/a.ts', "import '../resources/resource.js';"],
  ['http-knows-only-what-is-below', 'src/http/a.ts', "import '../delivery/queue.js';"],
  ['resources-knows-only-what-is-below', 'src/resources/a.ts', "import '../dashboard/page.js';"],
  ['certificates-knows-only-what-is-below', 'src/certificates/a.ts', "import '../resources/resource.js';"],
  ['data-plane-knows-only-what-is-below', 'src/data-plane/a.ts', "import '../dashboard/page.js';"],
  ['dashboard-knows-only-what-is-below', 'src/dashboard/a.ts', "import '../targets/target.js';"],
  ['http-stays-in-the-rooms-that-speak-http', 'src/delivery/c.ts', "import 'fastify';"],
  ['queues-are-opened-in-one-place', 'src/dashboard/b.ts', "import { Queue } from 'bullmq'; new Queue('a');"],
  ['what-is-measured-knows-no-meter', 'src/delivery/d.ts', "import 'prom-client';"],
  ['observability-knows-only-what-is-below', 'src/observability/a.ts', "import '../resources/resource.js';"],
  ['src-never-imports-tools-or-tests', 'src/events/b.ts', "import '../../tools/sandbox/sandbox.js';"],
  ['the-sandbox-stands-apart', 'tools/sandbox/a.ts', "import '../../src/delivery/queue.js';"],
  ['nobody-imports-an-entry-point', 'src/resources/b.ts', "import '../main.js';"],
  ['no-cycles', 'src/resources/c.ts', "import './d.js';"],
  ['no-orphans', 'src/resources/e.ts', 'export const alone = 1;'],
  ['nothing-unresolvable', 'src/resources/f.ts', "import './nowhere.js';"],
  ['declared-dependencies-only', 'src/resources/g.ts', "import 'fast-check';"],
];

/** Files that break none. */
const bystanders: Readonly<Record<string, string>> = {
  'src/main.ts': "import './resources/resource.js';",
  'src/accounts/account.ts': "import '../database/table.js';",
  'src/database/table.ts': "import 'kysely';",
  'src/targets/target.ts': "import 'zod';",
  'src/delivery/queue.ts': "import 'bullmq'; import '../targets/target.js'; import '../accounts/account.js';",
  'src/events/event.ts': "import '../delivery/queue.js';",
  'src/resources/resource.ts': "import '../events/event.js'; import 'fastify';",
  'src/resources/d.ts': "import './c.js';",
  'src/dashboard/page.ts':
    "import '../delivery/queue.js'; import type { Queue } from 'bullmq'; export type Q = Queue;",
  'tools/sandbox/sandbox.ts': "import '../../src/targets/target.js';",
};

const report = z.object({
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

let folder = '';
let broken: readonly { rule: string; file: string }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'waybill-layers-'));
  const files = { ...bystanders, ...Object.fromEntries(offenders.map(([, file, text]) => [file, text])) };
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  for (const name of ['node_modules', 'package.json', 'tsconfig.json', '.dependency-cruiser.cjs']) {
    await symlink(join(root, name), join(folder, name));
  }
  const output = await cruise(folder);
  broken = report
    .parse(JSON.parse(output))
    .summary.violations.map((violation) => ({ rule: violation.rule.name, file: violation.from }));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

test.each(offenders)('%s is broken by %s', (rule, file) => {
  expect(broken).toContainEqual({ rule, file });
});

test('imports that follow the arrows break nothing', () => {
  const innocent = Object.keys(bystanders).filter((file) => file !== 'src/resources/d.ts');
  expect(broken.filter(({ file }) => innocent.includes(file))).toEqual([]);
});

test('every rule of the configuration is tried here', async () => {
  const { default: configuration } = z
    .object({ default: z.object({ forbidden: z.array(z.object({ name: z.string() })) }) })
    .parse(await import(join(root, '.dependency-cruiser.cjs')));
  const tried = new Set(offenders.map(([rule]) => rule));
  expect(configuration.forbidden.map(({ name }) => name).filter((name) => !tried.has(name))).toEqual([]);
});

/** Runs the check as `npm run check:layers` does, in `directory`; gives its report as JSON. */
function cruise(directory: string): Promise<string> {
  const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const parameters = ['--config', '.dependency-cruiser.cjs', '--output-type', 'json', 'src', 'tools'];
  return new Promise((settle, reject) => {
    // It exits with the number of violations, which is what is wanted here: only an empty report is a failure.
    execFile(
      process.execPath,
      [program, ...parameters],
      { cwd: directory, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => {
        if (stdout === '') reject(new Error(stderr, { cause: error }));
        else settle(stdout);
      },
    );
  });
}
