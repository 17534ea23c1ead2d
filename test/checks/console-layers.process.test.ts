import { beforeAll, expect, test } from 'vitest';
import { layerViolations, ruleNames, type Violation } from './layer-check.js';

const CONFIG = 'console/.dependency-cruiser.cjs';

/** Files that each break one rule, by the rule's name. */
const offenders: readonly (readonly [rule: string, file: string, text: string])[] = [
  ['console-preferences-imports-lower-layers-only', 'console/src/preferences/a.ts', "import '../time/clock.js';"],
  ['console-styles-imports-lower-layers-only', 'console/src/styles/a.ts', "import '../time/clock.js';"],
  ['console-time-imports-lower-layers-only', 'console/src/time/a.ts', "import '../api/request.js';"],
  ['console-api-imports-lower-layers-only', 'console/src/api/a.ts', "import '../components/button.js';"],
  ['console-components-imports-lower-layers-only', 'console/src/components/a.ts', "import '../app/shell.js';"],
  ['console-screens-stand-apart', 'console/src/screens/events/a.ts', "import '../overview/rows.js';"],
  ['console-router-alone-imports-screens', 'console/src/app/a.ts', "import '../screens/overview/rows.js';"],
  ['console-is-a-client-only', 'console/src/api/b.ts', "import '../../../src/ids/id.js';"],
  ['console-imports-types-of-the-client', 'console/src/api/c.ts', "import '@waybill/client';"],
  ['no-cycles', 'console/src/app/b.ts', "import './c.js';"],
  ['console-nothing-unresolvable', 'console/src/app/d.ts', "import './nowhere.js';"],
  ['console-no-orphans', 'console/src/app/e.ts', 'export const alone = 1;'],
];

/** Files that break no rule. */
const conforming: Readonly<Record<string, string>> = {
  'packages/client/src/index.ts': 'export interface Client { readonly url: string }',
  'src/ids/id.ts': 'export const id = 1;',
  'packages/reconcile/src/index.ts': 'export const report = 1;',
  'console/src/preferences/zone.ts': "import 'react';",
  'console/src/time/clock.ts': "import '../preferences/zone.js';",
  'console/src/api/request.ts': "import type { Client } from '@waybill/client'; export type C = Client;",
  'console/src/components/button.tsx': "import '../api/request.js'; import 'react-aria-components/Button';",
  'console/src/app/shell.tsx': "import '../components/button.js';",
  'console/src/app/router.ts': "import './shell.js'; import '../screens/overview/rows.js';",
  'console/src/screens/overview/rows.ts': "import '../../time/clock.js';",
  'console/src/screens/overview/result.ts': "import '@waybill/reconcile';",
  'console/src/app/c.ts': "import './b.js';",
};

let violations: readonly Violation[] = [];

beforeAll(async () => {
  const files = { ...conforming, ...Object.fromEntries(offenders.map(([, file, text]) => [file, text])) };
  violations = await layerViolations(files, CONFIG, ['console/src']);
});

test.each(offenders)('%s forbids %s', (rule, file) => {
  expect(violations).toContainEqual({ rule, file });
});

test('imports of lower layers break no rule', () => {
  const files = Object.keys(conforming).filter((file) => file !== 'console/src/app/c.ts');
  expect(violations.filter(({ file }) => files.includes(file))).toEqual([]);
});

test('every rule of the configuration has a file here that breaks it', async () => {
  const tested = new Set(offenders.map(([rule]) => rule));
  expect((await ruleNames(CONFIG)).filter((name) => !tested.has(name))).toEqual([]);
});
