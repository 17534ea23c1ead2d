import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const oxlint = path.resolve('node_modules/.bin/oxlint');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waybill-lint-'));
  const rules = ['private-keyword', 'constant-case', 'store-class', 'comment-width'];
  const config = {
    categories: { correctness: 'off' },
    jsPlugins: [path.resolve('.oxlint/conventions.mjs')],
    rules: Object.fromEntries(rules.map((rule) => [`conventions/${rule}`, 'error'])),
  };
  writeFileSync(path.join(folder, '.oxlintrc.json'), JSON.stringify(config));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Returns the rules that a file with this text breaks. */
function brokenRules(text: string, name = 'file.ts'): string[] {
  writeFileSync(path.join(folder, name), text);
  const { stdout, stderr } = spawnSync(oxlint, ['--format', 'json', name], { cwd: folder, encoding: 'utf8' });
  if (!stdout.startsWith('{')) throw new Error(`oxlint failed: ${stdout}${stderr}`);
  const { diagnostics } = JSON.parse(stdout);
  return diagnostics.map(({ code }: { code: string }) => code);
}

describe('the conventions plugin', () => {
  it('reports members that are private by #', () => {
    expect(brokenRules('export class A { #b = 1; c() { return this.#b; } }')).toContain('conventions(private-keyword)');
    expect(brokenRules('export class A { private readonly b = 1; }')).toEqual([]);
  });

  it('reports module-level literals that are not in upper case, and leaves other constants alone', () => {
    expect(brokenRules('const longestMs = 5 * 60_000; export { longestMs };')).toEqual(['conventions(constant-case)']);
    expect(brokenRules('const DAY_MS = 86_400_000; const week = 7 * DAY_MS; export { week };')).toEqual([
      'conventions(constant-case)',
    ]);
    expect(brokenRules('const DAY_MS = 86_400_000; const names = ["a"]; export { DAY_MS, names };')).toEqual([]);
  });

  it('reports a store that is an object of functions', () => {
    const store = 'export const thingStore = { async find(db) { return db; } };';
    expect(brokenRules(store, 'thing-store.ts')).toEqual(['conventions(store-class)']);
    expect(brokenRules(store, 'thing.ts')).toEqual([]);
    expect(brokenRules('export class ThingStore { find() {} }', 'thing-store.ts')).toEqual([]);
  });

  it('reports comments beyond the print width, except one long word such as an address', () => {
    expect(brokenRules(`// ${'word '.repeat(30)}\n`)).toEqual(['conventions(comment-width)']);
    expect(brokenRules(`/**\n * ${'word '.repeat(30)}\n */\n`)).toEqual(['conventions(comment-width)']);
    expect(brokenRules(`// https://example.com/${'a'.repeat(120)}\n`)).toEqual([]);
    expect(brokenRules(`// ${'word '.repeat(10)}\n`)).toEqual([]);
  });
});
