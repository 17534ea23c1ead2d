import { readdir, readFile, stat } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { loadSdk } from '../../src/targets/datadog-logs/sdk.js';
import { LICENSES } from './bundle.js';
import { cachedBundles } from './cached-bundles.js';
import { licensesOf } from './licenses.js';

const root = path.resolve(import.meta.dirname, '../..');

let folder: string;
let modules: readonly string[];
beforeAll(async () => {
  folder = await cachedBundles(root);
  modules = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js'));
});

describe('the bundles of the vendors’ clients', () => {
  it('replace each file that imports a package at run time', async () => {
    const sources = await readdir(path.join(root, 'src'), { recursive: true });
    const wanted = sources
      .filter((name) => path.basename(name) === 'vendor.ts')
      .map((name) => name.replace('.ts', '.js'));
    expect(wanted).toEqual(expect.arrayContaining(['targets/datadog-logs/vendor.js', 'exports/storage/vendor.js']));
    expect(modules).toEqual(expect.arrayContaining(wanted));
  });

  it('import nothing but modules of Node and each other: an image needs no package of a vendor', async () => {
    const foreign: string[] = [];
    for (const name of modules) {
      const source = await readFile(path.join(folder, name), 'utf8');
      const imported = [...source.matchAll(/^(?:import|export) .*?from ?["']([^"']+)["'];?$/gm)].map(
        ([, id = '']) => id,
      );
      foreign.push(...imported.filter((id) => !isBuiltin(id) && !id.startsWith('.')));
    }
    expect(foreign).toEqual([]);
  });

  it('are what the tests of the targets run', async () => {
    const used = await loadSdk();
    const bundled = (await import(path.join(folder, 'targets/datadog-logs/vendor.js'))) as typeof used;
    expect(used.LogsApi).toBe(bundled.LogsApi);
  });

  it('hold the models of Datadog’s log API, and refuse all other types by the client’s own error', async () => {
    const file = path.join(folder, 'targets/datadog-logs/vendor.js');
    // 9 MB with the models of every API.
    expect((await stat(file)).size).toBeLessThan(3_000_000);
    const source = await readFile(file, 'utf8');
    expect(source).toContain('HTTPLogItem.attributeTypeMap = {');
    expect(source).toContain("unknown type '${type}'");
    expect(source).not.toContain('Monitor.attributeTypeMap = {');
  });

  it('come with the license texts of every package in them', async () => {
    const text = await readFile(path.join(folder, LICENSES), 'utf8');
    expect(text).toMatch(/^@datadog\/datadog-api-client [\d.]+, license: Apache-2.0\n=+\n\n *Apache License\n/m);
    expect(text).toMatch(/^@azure\/identity [\d.]+, license: MIT$/m);
    expect(text).toContain('Permission is hereby granted');
    expect(text).toMatch(/^@aws-sdk\/client-firehose [\d.]+, license: Apache-2.0\n/m);
  });

  it('are not made again for the same packages', async () => {
    const before = await stat(folder);
    expect(await cachedBundles(root)).toBe(folder);
    expect((await stat(folder)).ino).toBe(before.ino);
  });
});

it('lists the license of a package once, and skips modules of no package', async () => {
  const file = (name: string) => path.join(root, 'node_modules', name);
  const text = await licensesOf([
    file('zod/index.js'),
    file('zod/v4/index.js'),
    '\0virtual',
    path.join(root, 'src/a.ts'),
  ]);
  expect(text.match(/^zod /gm)).toHaveLength(1);
});
