import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

interface Case {
  readonly text: string;
  /** Name of the file. */
  readonly name?: string;
  /** The rules of the plugin that it breaks. */
  readonly breaks: readonly string[];
}

const STORE = 'export const thingStore = { async find(db) { return db; } };';
const cases: Readonly<Record<string, readonly Case[]>> = {
  'members that are private by #': [
    { text: 'export class A { #b = 1; c() { return this.#b; } }', breaks: ['private-keyword', 'private-keyword'] },
    { text: 'export class A { private readonly b = 1; }', breaks: [] },
  ],
  'module-level literals that are not in upper case, and leaves other constants alone': [
    { text: 'const longestMs = 5 * 60_000; export { longestMs };', breaks: ['constant-case'] },
    { text: 'const DAY_MS = 86_400_000; const week = 7 * DAY_MS; export { week };', breaks: ['constant-case'] },
    { text: 'const DAY_MS = 86_400_000; const names = ["a"]; export { DAY_MS, names };', breaks: [] },
  ],
  'a store that is an object of functions': [
    { text: STORE, name: 'thing-store.ts', breaks: ['store-class'] },
    { text: STORE, name: 'thing.ts', breaks: [] },
    { text: 'export class ThingStore { find() {} }', name: 'thing-store.ts', breaks: [] },
  ],
  'comments beyond the print width, except one long word such as an address': [
    { text: `// ${'word '.repeat(30)}\n`, breaks: ['comment-width'] },
    { text: `/**\n * ${'word '.repeat(30)}\n */\n`, breaks: ['comment-width'] },
    { text: `// https://example.com/${'a'.repeat(120)}\n`, breaks: [] },
    { text: `// ${'word '.repeat(10)}\n`, breaks: [] },
  ],
};
const all = Object.values(cases).flat();

let folder: string;
/** The rules that are broken, by file. */
const broken = new Map<string, string[]>();

/** The path of a case in the folder: each has a subfolder. */
function fileOf(one: Case): string {
  return path.join(String(all.indexOf(one)), one.name ?? 'file.ts');
}

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'waybill-lint-'));
  const rules = ['private-keyword', 'constant-case', 'store-class', 'comment-width'];
  const config = {
    categories: { correctness: 'off' },
    jsPlugins: [path.resolve('.oxlint/conventions.mjs')],
    rules: Object.fromEntries(rules.map((rule) => [`conventions/${rule}`, 'error'])),
  };
  writeFileSync(path.join(folder, '.oxlintrc.json'), JSON.stringify(config));
  for (const one of all) {
    mkdirSync(path.join(folder, path.dirname(fileOf(one))));
    writeFileSync(path.join(folder, fileOf(one)), one.text);
  }
  const oxlint = path.resolve('node_modules/.bin/oxlint');
  const { stdout, stderr } = spawnSync(oxlint, ['--format', 'json', '.'], { cwd: folder, encoding: 'utf8' });
  if (!stdout.startsWith('{')) throw new Error(`oxlint failed: ${stdout}${stderr}`);
  for (const { filename, code } of JSON.parse(stdout).diagnostics)
    broken.set(filename, [...(broken.get(filename) ?? []), code]);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the conventions plugin', () => {
  it.each(Object.entries(cases))('reports %s', (_, ones) => {
    for (const one of ones)
      expect(broken.get(fileOf(one)) ?? [], one.text).toEqual(one.breaks.map((rule) => `conventions(${rule})`));
  });
});
