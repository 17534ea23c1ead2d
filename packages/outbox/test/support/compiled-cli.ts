import { mkdtemp, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { compilePackage } from '../../../embedded-postgres/test/compile-package.js';

const root = path.resolve(import.meta.dirname, '../..');

/**
 * Compiles this package, for tests that run its command line.
 * @returns a new temporary folder with `dist/cli.js`, which the caller removes
 */
export async function compileCli(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'waybill-outbox-'));
  await compilePackage(folder, root);
  await symlink(path.resolve(root, '../../node_modules'), path.join(folder, 'node_modules'));
  return folder;
}
