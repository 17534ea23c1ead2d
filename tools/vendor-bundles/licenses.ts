import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** Names of the files that hold a license or belong to one. */
const LICENSE_FILE = /^(licen[cs]e|notice|copying)\b/i;

/**
 * Returns the licenses of the packages that these modules belong to, as one text.
 * @param modules ids of modules: paths below a `node_modules`
 * @throws Error when a package states no license
 */
export async function licensesOf(modules: readonly string[]): Promise<string> {
  const folders = new Set(modules.flatMap((id) => packageFolder(id) ?? []));
  const parts = await Promise.all([...folders].map(licenseOf));
  return [...new Set(parts)].toSorted().join('\n');
}

/** Returns the folder of the package that a module belongs to; null for a module of no package. */
function packageFolder(id: string): string | null {
  return /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? null;
}

async function licenseOf(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
  const { name, version, license } = manifest;
  const files = (await readdir(folder)).filter((file) => LICENSE_FILE.test(file)).toSorted();
  const texts = await Promise.all(files.map((file) => readFile(path.join(folder, file), 'utf8')));
  if (typeof license !== 'string' && texts.length === 0) throw new Error(`${folder} states no license.`);
  const head = `${String(name)} ${String(version)}, license: ${typeof license === 'string' ? license : 'see below'}`;
  return [head, '='.repeat(head.length), '', ...texts.map((text) => text.trim()), ''].join('\n');
}
