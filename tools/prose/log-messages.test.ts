import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/** The source of the service and its packages, tests left out. */
function source(): string {
  const files = ['src', 'packages']
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
    );
  return files
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('node_modules'))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

/** The messages in the tables of docs/logs.md below their heading. */
function documentedMessages(): readonly string[] {
  const [, tables = ''] = readFileSync('docs/logs.md', 'utf8').split('## Messages and what to do');
  return Array.from(tables.matchAll(/^\| `([^`]+)`/gm), ([, message = '']) => message);
}

it('documents only log messages that the code writes', () => {
  const code = source();
  const messages = documentedMessages();
  expect(messages.length).toBeGreaterThan(20);
  expect(messages.filter((message) => !code.includes(`'${message}'`))).toEqual([]);
});
