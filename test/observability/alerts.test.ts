import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { createInstruments } from '../../src/observability/instruments.js';

const rulesFile = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })) })),
});

it('the alert rules ask for metrics and labels that there are', async () => {
  const { groups } = rulesFile.parse(parse(await readFile('docs/alerts.yml', 'utf8')));
  const rules = groups.flatMap(({ rules: each }) => each);
  expect(rules.length).toBeGreaterThan(5);
  const known = new Map(
    createInstruments()
      .registry.getMetricsAsArray()
      .map((metric) => [metric.name, z.object({ labelNames: z.array(z.string()) }).parse(metric).labelNames]),
  );
  for (const { alert, expr } of rules) {
    for (const [, name = '', labels = ''] of expr.matchAll(/(waybill_\w+)(?:\{([^}]*)\})?/g)) {
      const names = [...labels.matchAll(/(\w+)[=!]/g)].map(([, label]) => label);
      expect(known.get(name), `${alert}: ${name}`).toEqual(expect.arrayContaining(names));
    }
  }
});
