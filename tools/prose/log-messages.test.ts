import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/** The source of the service and its packages, tests and the sandbox left out. */
function source(): string {
  const files = ['src', 'packages']
    .filter((folder) => existsSync(folder))
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
    );
  return files
    .filter(
      (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !/node_modules|^packages.sandbox/.test(file),
    )
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

/** The constant messages of calls such as `logger.warn(fields, 'message')`: literals with a space. */
function warningsIn(code: string): readonly string[] {
  const calls = Array.from(code.matchAll(/\b(?:warn|error|fatal)\(([\s\S]*?)\);/g), ([, call = '']) => call);
  return calls.flatMap((call) => Array.from(call.matchAll(/'([^'\n]+ [^'\n]+)'/g), ([, message = '']) => message));
}

it('documents every warning and error that the code logs', () => {
  const warnings = warningsIn(source());
  const documented = readFileSync('docs/logs.md', 'utf8');
  expect(warnings.length).toBeGreaterThan(30);
  expect(warnings.filter((message) => !documented.includes(`\`${message}\``))).toEqual([]);
});
