import { beforeAll, expect, test } from 'vitest';
import { layerViolations, ruleNames, type Violation } from './layer-check.js';

/** Files that each break one rule, by the rule's name. */
const offenders: readonly (readonly [rule: string, file: string, text: string])[] = [
  ['base-layers-import-base-layers-only', 'src/ids/a.ts', "import '../delivery/queues/queues.js';"],
  ['accounts-is-the-top-base-layer', 'src/secrets/a.ts', "import '../accounts/account.js';"],
  ['targets-import-base-layers-without-store-only', 'src/targets/a.ts', "import '../database/table.js';"],
  ['targets-import-no-nest-sql-or-queues', 'src/targets/b.ts', "import 'kysely';"],
  ['targets-import-no-nest-sql-or-queues', 'src/targets/c.ts', "import '@nestjs/common';"],
  ['targets-import-no-nest-sql-or-queues', 'src/targets/d.ts', "import type {} from 'bullmq';"],
  ['nest-only-where-controllers-are', 'src/delivery/f.ts', "import '@nestjs/common';"],
  ['one-composition', 'src/events/events.providers.ts', "import '../delivery/delivery.providers.js';"],
  ['vendor-sdks-only-in-targets', 'src/delivery/a.ts', "import '@aws-sdk/client-kinesis';"],
  ['vendor-sdks-at-run-time-only-in-vendor-files', 'src/targets/vendor-sdk.ts', "import '@azure/identity';"],
  ['delivery-imports-lower-layers-only', 'src/delivery/b.ts', "import '../events/event.js';"],
  ['delivery-queues-imports-lower-parts-only', 'src/delivery/queues/a.ts', "import '../lanes/lane.js';"],
  ['delivery-finished-imports-lower-parts-only', 'src/delivery/finished/a.ts', "import '../lanes/lane.js';"],
  ['delivery-cancellation-imports-lower-parts-only', 'src/delivery/cancellation/a.ts', "import '../lanes/lane.js';"],
  ['delivery-rollups-imports-lower-parts-only', 'src/delivery/rollups/a.ts', "import '../lanes/lane.js';"],
  ['delivery-epochs-imports-lower-parts-only', 'src/delivery/epochs/a.ts', "import '../attempts/b.js';"],
  ['delivery-lanes-imports-lower-parts-only', 'src/delivery/lanes/a.ts', "import '../delivery-observer.js';"],
  [
    'delivery-delivery-observer-imports-lower-parts-only',
    'src/delivery/delivery-observer.ts',
    "import './queues/queues.js';",
  ],
  ['delivery-dispatch-imports-lower-parts-only', 'src/delivery/dispatch/a.ts', "import '../attempts/b.js';"],
  ['delivery-attempts-imports-lower-parts-only', 'src/delivery/attempts/a.ts', "import '../worker.js';"],
  [
    'delivery-attempts-concurrency-imports-lower-parts-only',
    'src/delivery/attempts/concurrency/a.ts',
    "import '../b.js';",
  ],
  ['delivery-recovery-imports-lower-parts-only', 'src/delivery/recovery/a.ts', "import '../attempts/b.js';"],
  ['delivery-redelivery-imports-lower-parts-only', 'src/delivery/redelivery/a.ts', "import '../recovery/b.js';"],
  ['delivery-fan-out-imports-lower-parts-only', 'src/delivery/fan-out/a.ts', "import '../recovery/b.js';"],
  ['examples-import-packages-only', 'examples/orders-api/src/a.ts', "import '../../../src/accounts/account.js';"],
  ['nothing-imports-an-example', 'tools/demo/a.ts', "import '../../examples/orders-api/src/app.js';"],
  ['schemas-compile-in-their-thread', 'src/events/d.ts', "import './resource-types/schemas/schema-errors.js';"],
  ['events-imports-lower-layers-only', 'src/events/a.ts', "import '../resources/resource.js';"],
  ['exports-imports-lower-layers-only', 'src/exports/a.ts', "import '../resources/resource.js';"],
  ['proof-imports-lower-layers-only', 'src/proof/a.ts', "import '../resources/resource.js';"],
  ['erasures-imports-lower-layers-only', 'src/erasures/a.ts', "import '../resources/resource.js';"],
  ['destinations-imports-lower-layers-only', 'src/destinations/a.ts', "import '../exports/export.js';"],
  ['http-imports-lower-layers-only', 'src/http/a.ts', "import '../delivery/queues/queues.js';"],
  ['resources-imports-lower-layers-only', 'src/resources/a.ts', "import '../dashboard/page.js';"],
  [
    'resources-framework-imports-lower-parts-only',
    'src/resources/framework/a.ts',
    "import '../building-blocks/block.js';",
  ],
  [
    'resources-building-blocks-imports-lower-parts-only',
    'src/resources/building-blocks/a.ts',
    "import '../families/ip-policies/ip-policy-behaviour.js';",
  ],
  [
    'resources-families-imports-lower-parts-only',
    'src/resources/families/tunnels/a.ts',
    "import '../../managed-certificates/records.js';",
  ],
  [
    'resources-managed-certificates-imports-lower-parts-only',
    'src/resources/managed-certificates/a.ts',
    "import '../families.js';",
  ],
  [
    'resources-snapshots-imports-lower-parts-only',
    'src/resources/snapshots/a.ts',
    "import '../managed-certificates/records.js';",
  ],
  [
    'families-import-definitions-only',
    'src/resources/families/tunnels/b.ts',
    "import '../ip-policies/ip-policy-behaviour.js';",
  ],
  ['certificates-imports-lower-layers-only', 'src/certificates/a.ts', "import '../resources/resource.js';"],
  ['data-plane-imports-lower-layers-only', 'src/data-plane/a.ts', "import '../dashboard/page.js';"],
  ['dashboard-imports-lower-layers-only', 'src/dashboard/a.ts', "import '../targets/target.js';"],
  ['console-imports-lower-layers-only', 'src/console/a.ts', "import '../dashboard/page.js';"],
  ['web-frameworks-only-in-http-layers', 'src/delivery/c.ts', "import 'fastify';"],
  ['bullmq-at-run-time-only-in-delivery', 'src/dashboard/b.ts', "import { Queue } from 'bullmq'; new Queue('a');"],
  ['metrics-library-only-in-observability', 'src/delivery/d.ts', "import 'prom-client';"],
  ['tracing-sdk-only-in-tracing', 'src/observability/b.ts', "import '@opentelemetry/sdk-trace';"],
  ['tracing-api-only-where-spans-begin', 'src/delivery/e.ts', "import '@opentelemetry/api';"],
  ['observability-imports-lower-layers-only', 'src/observability/a.ts', "import '../resources/resource.js';"],
  [
    'packages-import-nothing-of-the-service',
    'packages/embedded-postgres/src/a.ts',
    "import '../../../src/database/table.js';",
  ],
  ['packages-import-declared-packages-only', 'packages/outbox/src/a.ts', "import 'kysely';"],
  [
    'packages-import-no-other-package-of-the-workspace',
    'packages/sandbox/src/b.ts',
    "import '@waybill/embedded-postgres';",
  ],
  ['client-imports-nothing', 'packages/client/src/a.ts', "import type {} from 'zod';"],
  ['client-imports-nothing', 'packages/client/src/b.ts', "import 'node:fs';"],
  ['embedded-postgres-only-in-database', 'src/secrets/b.ts', "import '@waybill/embedded-postgres';"],
  ['src-never-imports-tools-or-tests', 'src/events/b.ts', "import '../../tools/demo/demo.js';"],
  ['no-imports-of-entry-points', 'src/resources/b.ts', "import '../main.js';"],
  ['no-cycles', 'src/resources/c.ts', "import './d.js';"],
  ['no-orphans', 'src/resources/e.ts', 'export const alone = 1;'],
  ['nothing-unresolvable', 'src/resources/f.ts', "import './nowhere.js';"],
  ['declared-dependencies-only', 'src/resources/g.ts', "import 'fast-check';"],
];

/** Files that break no rule. */
const conforming: Readonly<Record<string, string>> = {
  'src/main.ts': "import './resources/resource.js';",
  'src/accounts/account.ts': "import '../database/table.js';",
  'src/database/table.ts': "import 'kysely'; import '@waybill/embedded-postgres';",
  'src/targets/target.ts': "import 'zod';",
  'src/delivery/queues/queues.ts':
    "import 'bullmq'; import '../../targets/target.js'; import '../../accounts/account.js';",
  'src/delivery/lanes/lane.ts': "import '../queues/queues.js';",
  'src/delivery/attempts/b.ts': "import '../lanes/lane.js'; import './concurrency/slots.js';",
  'src/delivery/attempts/concurrency/slots.ts': "import 'zod';",
  'src/delivery/recovery/b.ts': "import '../lanes/lane.js';",
  'src/delivery/worker.ts': "import './attempts/b.js';",
  'src/delivery/delivery.providers.ts': "import './attempts/b.js';",
  'src/events/event.ts': "import '../delivery/queues/queues.js'; import '@opentelemetry/api';",
  'src/events/resource-types/schemas/schema-errors.ts': "import 'zod';",
  'src/resources/resource.ts': "import '../events/event.js'; import 'fastify';",
  'src/resources/d.ts': "import './c.js';",
  'src/resources/families.ts': "import './families/ip-policies/ip-policy-behaviour.js';",
  'src/resources/framework/definition.ts': "import 'zod';",
  'src/resources/building-blocks/block.ts':
    "import '../framework/definition.js'; import '../families/ip-policies/ip-policy.js';",
  'src/resources/families/ip-policies/ip-policy.ts': "import '../../framework/definition.js';",
  'src/resources/families/ip-policies/ip-policy-behaviour.ts':
    "import '../../building-blocks/block.js'; import './ip-policy.js';",
  'src/resources/families/ip-policy-rules/ip-policy-rule.ts': "import '../ip-policies/ip-policy.js';",
  'src/resources/managed-certificates/records.ts': "import '../families/ip-policies/ip-policy-behaviour.js';",
  'src/destinations/status.ts': "import '../resources/resource.js';",
  'src/exports/export.ts': "import '../destinations/status.js';",
  'src/dashboard/page.ts':
    "import '../delivery/queues/queues.js'; import type { Queue } from 'bullmq'; export type Q = Queue;",
  'packages/client/src/index.ts': 'export const client = 1;',
  'packages/embedded-postgres/src/index.ts': "import './d.js';",
  'packages/embedded-postgres/src/d.ts': 'export const low = 1;',
  'packages/outbox/package.json': '{"dependencies":{"commander":"14.0.3"},"peerDependencies":{"pg":"8"}}',
  'packages/outbox/src/c.ts': "import 'commander'; import 'pg'; import './d.js';",
  'packages/outbox/src/d.ts': 'export const low = 1;',
  'examples/orders-api/src/app.ts': "import '@nestjs/core'; import 'pg';",
  'packages/reconcile/src/c.ts': "import '@waybill/client'; import '@waybill/verify/readers';",
  'packages/verify/src/readers/index.ts': 'export const reader = 1;',
  'tools/demo/demo.ts': "import '../../src/targets/target.js';",
};

let violations: readonly Violation[] = [];

beforeAll(async () => {
  const files = { ...conforming, ...Object.fromEntries(offenders.map(([, file, text]) => [file, text])) };
  violations = await layerViolations(files, '.dependency-cruiser.cjs', ['src', 'tools', 'packages', 'examples']);
});

test.each(offenders)('%s forbids %s', (rule, file) => {
  expect(violations).toContainEqual({ rule, file });
});

test('imports of lower layers break no rule', () => {
  const files = Object.keys(conforming).filter((file) => file !== 'src/resources/d.ts');
  expect(violations.filter(({ file }) => files.includes(file))).toEqual([]);
});

test('every rule of the configuration has a file here that breaks it', async () => {
  const tested = new Set(offenders.map(([rule]) => rule));
  expect((await ruleNames('.dependency-cruiser.cjs')).filter((name) => !tested.has(name))).toEqual([]);
});
