import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';

const read = (name: string): Promise<string> => readFile(resolve(import.meta.dirname, '../..', name), 'utf8');

/** Returns the first groups of all matches, sorted. */
function namesIn(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, name = '']) => name).toSorted();
}

test('CI runs every project of Vitest once: with npm test, or after it', async () => {
  const projects = namesIn(await read('vitest.config.ts'), /^ {6}project\('(\w+)'/gm);
  const { scripts } = JSON.parse(await read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
  const run = `${scripts['test'] ?? ''} ${await read('.ci/run')}`;
  expect(projects.length).toBeGreaterThan(6);
  expect(namesIn(run, /--project (\w+)/g)).toEqual(projects);
});
