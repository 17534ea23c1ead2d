import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { exitAfterParsing } from '../harness/usage-error.js';
import type { ApiDocument } from './api-document.js';
import { makeClientEventTypes } from './client-event-types.js';
import { makeClientOperations } from './client-operations.js';
import { makeClientTypes } from './client-types.js';
import { makeConfigurationPage } from './configuration-page.js';
import { makeConsoleFamilies } from './console-families.js';
import { makeErrorsPage } from './errors-page.js';
import { makeEventsPage } from './events-page.js';
import { makeMetricsPage } from './metrics-page.js';
import { makeOpenApi, OPENAPI_FILE } from './openapi-document.js';
import { makePublishingLimits } from './publishing-limits.js';
import { makeRolesPage } from './roles-page.js';
import { makeSchemaPage } from './schema-page.js';

/** Generates every committed file that is made from the source alone. Returns the content by file name. */
async function generatedFiles(): Promise<Map<string, string>> {
  const openApi = await makeOpenApi();
  const document = JSON.parse(openApi) as ApiDocument;
  return new Map([
    [OPENAPI_FILE, openApi],
    ['packages/client/src/generated/types.ts', await makeClientTypes(document)],
    ['packages/client/src/generated/operations.ts', makeClientOperations(document)],
    ['packages/client/src/generated/event-types.ts', makeClientEventTypes(document)],
    ['packages/outbox/src/generated/publishing-limits.ts', makePublishingLimits()],
    ['console/src/api/generated/families.ts', makeConsoleFamilies()],
    ['docs/errors.md', makeErrorsPage()],
    ['docs/configuration.md', makeConfigurationPage()],
    ['docs/roles.md', makeRolesPage(document)],
    ['docs/events.md', makeEventsPage()],
    ['docs/metrics.md', await makeMetricsPage()],
  ]);
}

/** Writes the generated files, or compares the committed ones and names those that are outdated. */
async function main(check = false): Promise<void> {
  const outdated: string[] = [];
  const files = await generatedFiles();
  // It needs a Postgres, which takes seconds to start: test/database/schema-page.test.ts compares it.
  if (!check) files.set('docs/schema.md', await makeSchemaPage());
  for (const [file, wanted] of files) {
    const present = await readFile(file, 'utf8').catch(() => null);
    if (present === wanted) continue;
    if (check) {
      outdated.push(file);
      continue;
    }
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, wanted);
    console.log(`wrote ${file}`);
  }
  if (outdated.length === 0) return;
  console.error(`Outdated: ${outdated.join(', ')}. Run "npm run generate" and commit the files.`);
  process.exitCode = 1;
}

const { check } = new Command('npm run generate --')
  .description(
    'Writes the generated pages of docs/, the OpenAPI document, and the generated parts of packages/client, packages/outbox and console.',
  )
  .option('--check', 'compare the committed files instead; exit with 1 if one is outdated')
  .exitOverride(exitAfterParsing)
  .parse()
  .opts();
await main(check);
