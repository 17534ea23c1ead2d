import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';

const root = resolve(import.meta.dirname, '../..');

/** A file that breaks a rule. */
export interface Violation {
  readonly rule: string;
  readonly file: string;
}

const report = z.object({
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

/** What the check needs of this project. */
const linked = [
  'node_modules',
  'package.json',
  'tsconfig.json',
  '.dependency-cruiser.cjs',
  'console/tsconfig.json',
  'console/package.json',
  'console/.dependency-cruiser.cjs',
];

/**
 * Returns the violations of a configuration in a project with these files.
 * @param files texts of the files, by path
 * @param config path of the configuration
 * @param checked folders that are checked
 */
export async function layerViolations(
  files: Readonly<Record<string, string>>,
  config: string,
  checked: readonly string[],
): Promise<readonly Violation[]> {
  const folder = await mkdtemp(join(tmpdir(), 'waybill-layers-'));
  try {
    for (const [file, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, file)), { recursive: true });
      await writeFile(join(folder, file), text);
    }
    await mkdir(join(folder, 'console'), { recursive: true });
    for (const name of linked) await symlink(join(root, name), join(folder, name));
    const output = await runLayerCheck(folder, ['--config', config, '--output-type', 'json', ...checked]);
    return report
      .parse(JSON.parse(output))
      .summary.violations.map((violation) => ({ rule: violation.rule.name, file: violation.from }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns the names of the rules of a configuration. */
export async function ruleNames(config: string): Promise<readonly string[]> {
  const { default: configuration } = z
    .object({ default: z.object({ forbidden: z.array(z.object({ name: z.string() })) }) })
    .parse(await import(join(root, config)));
  return configuration.forbidden.map(({ name }) => name);
}

/** Runs the check as `npm run check -- layers` does, in `directory`, and returns its report as JSON. */
function runLayerCheck(directory: string, parameters: readonly string[]): Promise<string> {
  const program = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  return new Promise((settle, reject) => {
    // Its exit code is the number of violations, which is expected not to be 0: only an empty report is a failure.
    execFile(
      process.execPath,
      [program, ...parameters],
      { cwd: directory, maxBuffer: 2 ** 26 },
      (error, stdout, stderr) => {
        if (stdout === '') reject(new Error(stderr, { cause: error }));
        else settle(stdout);
      },
    );
  });
}
