import { readFile } from 'node:fs/promises';
import path from 'node:path';

/** The parts of a package.json that name other packages. */
interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, { readonly optional?: boolean }>>;
}

/**
 * Returns the folders of packages in the `node_modules` of `root`, with everything that they depend on. Optional
 * packages are left out.
 */
export async function installedWithDependencies(root: string, names: readonly string[]): Promise<readonly string[]> {
  const wanted = new Set(names);
  // The loop also visits names that are added to the set.
  for (const name of wanted) for (const other of await dependenciesOf(folderOf(root, name))) wanted.add(other);
  return [...wanted].map((name) => folderOf(root, name));
}

function folderOf(root: string, name: string): string {
  return path.join(root, 'node_modules', name);
}

/** Returns the names of the packages that the package in a folder needs. Optional ones are left out. */
export async function dependenciesOf(folder: string): Promise<readonly string[]> {
  const manifest = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8')) as Manifest;
  const { dependencies = {}, peerDependencies = {}, peerDependenciesMeta = {} } = manifest;
  const peers = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional !== true);
  return [...Object.keys(dependencies), ...peers];
}
