/**
 * The rooms of src/ and the way the arrows between them point (docs/architecture.md, CONTRIBUTING.md).
 * A room may import itself, the rooms listed for it, and the foundation; everything else is an error.
 * test/checks/layers.test.ts proves that these rules bite.
 */
const foundation = [
  'config',
  'problems',
  'ids',
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

/** What each room may know beside itself and the foundation. */
const rooms = {
  delivery: ['targets'],
  events: ['delivery', 'http'],
  http: [],
  certificates: ['delivery'],
  resources: ['http', 'events', 'delivery', 'certificates', 'targets'],
  dashboard: ['delivery', 'http'],
  observability: ['delivery', 'http', 'targets'],
  'data-plane': ['resources', 'events', 'http', 'delivery', 'certificates'],
};

/** Foundation that is free of Postgres: all that targets, which know nothing of our storage, may see. */
const plainFoundation = ['config', 'problems', 'ids', 'logging'];

const under = (names) => `^src/(${names.join('|')})/`;
const npm = (names) => `(^|/)node_modules/(${names.join('|')})(/|$)`;
const test = '\\.test\\.ts$';

const roomRules = Object.entries(rooms).map(([room, known]) => ({
  name: `${room}-knows-only-what-is-below`,
  comment: `src/${room} may import ${[room, ...known].join(', ')} and the foundation (${foundation.join(', ')}).`,
  severity: 'error',
  from: { path: under([room]), pathNot: test },
  to: { path: '^src/', pathNot: under([room, ...known, ...foundation]) },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...roomRules,
    {
      name: 'foundation-knows-only-foundation',
      comment: 'What every room stands on may not know a room.',
      severity: 'error',
      from: { path: under(foundation), pathNot: test },
      to: { path: '^src/', pathNot: under(foundation) },
    },
    {
      name: 'accounts-is-the-top-of-the-foundation',
      comment: 'Every other part of the foundation works without accounts.',
      severity: 'error',
      from: { path: under(foundation.filter((room) => room !== 'accounts')), pathNot: test },
      to: { path: under(['accounts']) },
    },
    {
      name: 'targets-know-only-plain-foundation',
      comment:
        'A target is a handful of functions around one call to a vendor: no database, no keys, no other room.',
      severity: 'error',
      from: { path: under(['targets']), pathNot: [test, '^src/targets/conformance/'] },
      to: { path: '^src/', pathNot: under(['targets', ...plainFoundation]) },
    },
    {
      name: 'targets-know-nothing-of-nest-sql-or-queues',
      comment: 'Targets take zod, their vendor’s SDK and Node itself.',
      severity: 'error',
      from: { path: under(['targets']), pathNot: test },
      to: {
        path: npm(['@nestjs', 'fastify', '@fastify', 'kysely', 'pg', 'bullmq', 'ioredis', '@bull-board']),
      },
    },
    {
      name: 'vendors-only-in-targets',
      comment:
        'A vendor’s SDK is known to its target and to nobody else; the sandbox speaks the wire protocol by hand.',
      severity: 'error',
      from: { path: '^(src|tools)/', pathNot: [test, '^src/targets/'] },
      to: { path: npm(['@aws-sdk', '@smithy', '@azure', '@datadog']) },
    },
    {
      name: 'http-stays-in-the-rooms-that-speak-http',
      comment: 'Nothing below http/ may know a web framework: services throw domain errors (src/problems).',
      severity: 'error',
      from: { path: under([...foundation, 'delivery', 'targets']), pathNot: test },
      to: { path: npm(['fastify', '@fastify', '@nestjs/platform-fastify', '@nestjs/swagger']) },
    },
    {
      name: 'queues-are-opened-in-one-place',
      comment:
        'Redis or Postgres is decided in src/delivery/queues; others take the types or the queues it opened.',
      severity: 'error',
      from: { path: '^src/', pathNot: [test, '^src/delivery/'] },
      to: { path: npm(['bullmq']), dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'what-is-measured-knows-no-meter',
      comment: 'Metrics and traces have one room each; what they measure tells an observer or a span.',
      severity: 'error',
      from: { path: '^src/', pathNot: [test, '^src/(observability|tracing)/'] },
      to: { path: npm(['prom-client', '@opentelemetry']) },
    },
    {
      name: 'src-never-imports-tools-or-tests',
      comment: 'The service is complete without what is used to try it.',
      severity: 'error',
      from: { path: '^src/', pathNot: [test, '^src/targets/conformance/'] },
      to: { path: ['^tools/', '^test/', test, '^src/targets/conformance/'] },
    },
    {
      name: 'the-sandbox-stands-apart',
      comment:
        'The sandbox shares only the contract of targets with the service, and how a command line is read: a mistake of ours must not be its mistake too.',
      severity: 'error',
      from: { path: '^tools/sandbox/', pathNot: test },
      to: {
        path: '^(src|test|tools)/',
        pathNot: ['^tools/(sandbox/|command-line\\.ts$)', '^src/targets/target\\.ts$'],
      },
    },
    {
      name: 'nobody-imports-an-entry-point',
      comment: 'main.ts runs at import.',
      severity: 'error',
      from: {},
      to: { path: '^(src|tools/[^/]+)/main\\.ts$' },
    },
    {
      name: 'no-cycles',
      comment: 'Two files that need each other are one idea, or hide a third.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphans',
      comment: 'A file that nothing imports and that imports nothing is dead or not wired up.',
      severity: 'error',
      from: {
        orphan: true,
        pathNot: ['/main\\.ts$', '\\.d\\.ts$', '^src/database/migrations/', '^tools/[^/]+/processes/', test],
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
        'The service runs on `dependencies`: what comes with another package, or for development, may be gone in the image.',
      severity: 'error',
      from: { path: '^src/', pathNot: [test, '^src/targets/conformance/'] },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules'] },
    // A type that crosses the line is a crossing too, though it leaves no trace at run time.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types', 'default'],
    },
    builtInModules: { add: ['node:test'] },
  },
};
