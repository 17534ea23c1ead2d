/**
 * The layers of the console and the imports that are allowed between them (docs/decisions/console.md).
 * test/checks/console-layers.process.test.ts breaks each rule once.
 */
const path = require('node:path');
const project = require('../.dependency-cruiser.cjs');

const test = '\\.test\\.ts$';

/** What each folder of console/src may import beside itself. */
const layers = {
  preferences: [],
  styles: [],
  time: ['preferences'],
  api: ['preferences'],
  components: ['api', 'preferences', 'time'],
};

const under = (names) => `^console/src/(${names.join('|')})/`;

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...Object.entries(layers).map(([layer, lower]) => ({
      name: `console-${layer}-imports-lower-layers-only`,
      comment: `console/src/${layer} may import ${[layer, ...lower].join(', ')}.`,
      severity: 'error',
      from: { path: under([layer]), pathNot: test },
      to: { path: '^console/src/', pathNot: under([layer, ...lower]) },
    })),
    {
      name: 'console-screens-stand-apart',
      comment: 'What two screens need belongs to components, api or time.',
      severity: 'error',
      from: { path: '^console/src/screens/([^/]+)/' },
      to: { path: '^console/src/screens/', pathNot: '^console/src/screens/$1/' },
    },
    {
      name: 'console-router-alone-imports-screens',
      comment: 'The router loads a screen when it is opened.',
      severity: 'error',
      from: { path: '^console/src/', pathNot: '^console/src/(screens/|app/router\\.ts$)' },
      to: { path: '^console/src/screens/' },
    },
    {
      name: 'console-is-a-client-only',
      comment:
        'The console uses the management API, the types of its client, and the comparison of @waybill/reconcile, which ' +
        'needs no Node. It shares no code with the service.',
      severity: 'error',
      from: { path: '^console/src/' },
      to: {
        path: '^(src|tools|test|packages|examples)/',
        pathNot: '^packages/(client|reconcile)/src/index\\.ts$',
      },
    },
    {
      name: 'console-imports-types-of-the-client',
      comment: 'The code of the client has the table of all operations: 41 KB.',
      severity: 'error',
      from: { path: '^console/src/' },
      to: { path: '^packages/client/', dependencyTypesNot: ['type-only'] },
    },
    ...project.forbidden.filter(({ name }) => name === 'no-cycles'),
    {
      name: 'console-nothing-unresolvable',
      comment: 'An import that cannot be resolved.',
      severity: 'error',
      from: { path: '^console/src/' },
      to: { couldNotResolve: true },
    },
    {
      name: 'console-no-orphans',
      comment: 'A file without imports that no file imports is unused.',
      severity: 'error',
      from: { orphan: true, path: '^console/src/' },
      to: {},
    },
  ],
  options: {
    ...project.options,
    tsConfig: { fileName: path.join(__dirname, 'tsconfig.json') },
    // React Aria's packages name sources in the condition `source` that they do not contain.
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'default'] },
  },
};
