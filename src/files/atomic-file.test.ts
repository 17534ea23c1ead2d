import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOnce, writeDraft } from './atomic-file.js';

describe('an atomic file', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'waybill-files-'));
    file = path.join(folder, 'file');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is created with mode 0600, without a leftover draft', async () => {
    expect(await createOnce(file, 'text', { flush: true })).toBe(true);
    expect(await readFile(file, 'utf8')).toBe('text');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('does not change when it exists, without a leftover draft', async () => {
    await writeFile(file, 'of another');
    expect(await createOnce(file, 'text')).toBe(false);
    expect(await readFile(file, 'utf8')).toBe('of another');
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('is created by exactly one of many concurrent calls', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => `text of ${index}`);
    const created = await Promise.all(texts.map((text) => createOnce(file, text)));
    expect(created.filter(Boolean)).toHaveLength(1);
    expect(await readFile(file, 'utf8')).toBe(texts[created.indexOf(true)]);
    expect(await readdir(folder)).toEqual(['file']);
  });

  it('cannot be created in a folder that does not exist', async () => {
    await expect(createOnce(path.join(folder, 'nowhere', 'file'), 'text')).rejects.toThrow('ENOENT');
  });

  it('has separate drafts in its folder', async () => {
    const drafts = [await writeDraft(file, 'one'), await writeDraft(file, 'two')];
    expect(await Promise.all(drafts.map((draft) => readFile(draft, 'utf8')))).toEqual(['one', 'two']);
    expect(drafts.map((draft) => path.dirname(draft))).toEqual([folder, folder]);
  });
});
