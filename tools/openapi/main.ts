import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { makeConfigurationPage } from './configuration-page.js';
import { makeErrorsPage } from './errors-page.js';
import { makeEventsPage } from './events-page.js';
import { makeMetricsPage } from './metrics-page.js';
import { makeOpenApi } from './openapi-document.js';

/** The committed files that are made from the source, by name, and what each must hold now. */
async function generatedFiles(): Promise<Map<string, string>> {
  return new Map([
    ['openapi.json', await makeOpenApi()],
    ['docs/errors.md', makeErrorsPage()],
    ['docs/configuration.md', makeConfigurationPage()],
    ['docs/events.md', makeEventsPage()],
    ['docs/metrics.md', await makeMetricsPage()],
  ]);
}

/** Writes the generated files; with `--check` compares them instead, and names those that are stale. */
async function main(check: boolean): Promise<void> {
  const stale: string[] = [];
  for (const [file, wanted] of await generatedFiles()) {
    const present = await readFile(file, 'utf8').catch(() => null);
    if (present === wanted) continue;
    if (check) {
      stale.push(file);
      continue;
    }
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, wanted);
    console.log(`wrote ${file}`);
  }
  if (stale.length === 0) return;
  console.error(
    `Not what the source says: ${stale.join(', ')}. Run "npm run openapi" and commit what it writes.`,
  );
  process.exitCode = 1;
}

await main(process.argv.includes('--check'));
