import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { createInstruments } from '../../src/observability/instruments.js';
import { markdownTable } from './markdown-table.js';

const BEGIN = '<!-- metrics:begin';
const END = '<!-- metrics:end -->';

/**
 * Returns `docs/metrics.md` with the table of metrics between its two marks.
 * @throws Error when a mark is missing
 */
export async function makeMetricsPage(): Promise<string> {
  const page = await readFile('docs/metrics.md', 'utf8');
  const afterBegin = page.indexOf('\n', page.indexOf(BEGIN)) + 1;
  const beforeEnd = page.indexOf(END);
  if (!page.includes(BEGIN) || beforeEnd < afterBegin)
    throw new Error('docs/metrics.md has no marks for the table of metrics: metrics:begin and metrics:end.');
  return `${page.slice(0, afterBegin)}\n${makeMetricsTable()}\n\n${page.slice(beforeEnd)}`;
}

/** The description of a metric. */
const metricSchema = z.object({
  name: z.string(),
  help: z.string(),
  type: z.string(),
  labelNames: z.array(z.string()),
});

function makeMetricsTable(): string {
  const rows = createInstruments()
    .registry.getMetricsAsArray()
    .map((metric) => metricSchema.parse(metric))
    .map(({ name, help, type, labelNames }) => {
      const labels = labelNames.map((label) => `\`${label}\``).join(', ');
      return [`\`${name}\``, type, labels, help];
    });
  return markdownTable(['Metric', 'Type', 'Labels', 'Meaning'], rows);
}
