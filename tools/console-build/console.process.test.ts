import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { LICENSES } from './build-console.js';
import { cachedConsole } from './cached-console.js';

const root = path.resolve(import.meta.dirname, '../..');

/** Most bytes of the first page, compressed with gzip. */
const MOST_BYTES = 180_000;

/** Most files of it, with the page itself. */
const MOST_FILES = 10;

/** Most bytes with what every page loads in advance. */
const MOST_IN_ADVANCE = 235_000;

/** What every page loads in advance. */
const IN_ADVANCE = ['src/app/palette.tsx', 'src/app/account-popover.tsx'];

const manifestSchema = z.record(
  z.string(),
  z.object({
    file: z.string(),
    css: z.array(z.string()).default([]),
    imports: z.array(z.string()).default([]),
    dynamicImports: z.array(z.string()).default([]),
  }),
);

let folder: string;
let manifest: z.infer<typeof manifestSchema>;
beforeAll(async () => {
  folder = await cachedConsole(root);
  manifest = manifestSchema.parse(JSON.parse(await readFile(path.join(folder, '.vite/manifest.json'), 'utf8')));
});

/** Returns the files that a browser loads for modules of the manifest, and for all that they import. */
function filesFor(names: readonly string[]): ReadonlySet<string> {
  const visited = new Set(names);
  const files = new Set<string>();
  // The loop also visits the names that are added to the set.
  for (const name of visited) {
    const part = manifest[name];
    if (!part) throw new Error(`The manifest has no ${name}.`);
    for (const file of [part.file, ...part.css]) files.add(file);
    for (const imported of part.imports) visited.add(imported);
  }
  return files;
}

describe('the build of the console', () => {
  it.each([
    ['the first page', [], MOST_BYTES],
    ['the first page and what is loaded in advance', IN_ADVANCE, MOST_IN_ADVANCE],
  ])('needs few files for %s, and few bytes, compressed with gzip', async (_, names, most) => {
    const files = [...filesFor(['index.html', ...names])];
    expect(files.length).toBeLessThan(MOST_FILES);
    const contents = await Promise.all(['index.html', ...files].map((file) => readFile(path.join(folder, file))));
    const sizes = await Promise.all(contents.map(async (content) => (await promisify(gzip)(content)).length));
    const total = sizes.reduce((sum, size) => sum + size, 0);
    expect(total).toBeLessThanOrEqual(most);
  });

  it('loads a screen when it is opened: only sign-in and overview are a part of the entry', () => {
    const entry = filesFor(['index.html']);
    const screens = Object.entries(manifest).filter(([name]) => /^src\/screens\/.*\/screen\.tsx$/.test(name));
    expect(screens.length).toBeGreaterThan(1);
    expect(screens.filter(([, { file }]) => entry.has(file))).toEqual([]);
  });

  it('has React for production', async () => {
    const entry = await readFile(path.join(folder, manifest['index.html']?.file ?? ''), 'utf8');
    expect(entry).not.toContain('You are importing createRoot from');
    expect(entry).not.toContain('jsxDEV');
  });

  it('is a page without inline scripts and styles, and without an address of another host', async () => {
    const page = await readFile(path.join(folder, 'index.html'), 'utf8');
    expect(page).not.toMatch(/<style|<script(?![^>]* src=)| style=| on\w+=/);
    expect([...page.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^\/console\/assets\/[\w.-]+\.js$/)]),
    );
    expect(page).not.toMatch(/(?:src|href)="(?:https?:)?\/\//);
  });

  it('has hashes in the names of its assets, and compressed forms beside the larger ones', async () => {
    const assets = await readdir(path.join(folder, 'assets'));
    const originals = assets.filter((name) => !/\.(br|gz)$/.test(name));
    expect(originals.filter((name) => !/-[\w-]{8}\.\w+$/.test(name))).toEqual([]);
    const entry = path.basename(manifest['index.html']?.file ?? '');
    expect(assets).toEqual(expect.arrayContaining([`${entry}.br`, `${entry}.gz`]));
  });

  it('comes with the license texts of every package in it', async () => {
    const text = await readFile(path.join(folder, LICENSES), 'utf8');
    for (const name of ['react-dom', '@tanstack/react-router', 'react-aria-components', '@visx/shape']) {
      expect(text).toMatch(new RegExp(`^${name} [\\d.]+, license: `, 'm'));
    }
  });

  it('is not made again for the same files', async () => {
    expect(await cachedConsole(root)).toBe(folder);
  });
});
