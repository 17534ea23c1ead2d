// Checks that the list of components (SBOM) can be made and has what runs, and that no advisory of the level high or
// critical is known about a component. A registry without advisories is named, and fails nothing.
import { execFileSync, spawnSync } from 'node:child_process';

const options = { encoding: 'utf8', maxBuffer: 64 * 1_048_576 };
const { bomFormat, components } = JSON.parse(
  execFileSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], options),
);
const names = new Set(components.map(({ name }) => name));
const missing = ['fastify', 'kysely', 'bullmq', '@aws-sdk/client-firehose', 'react'].filter((name) => !names.has(name));
if (bomFormat !== 'CycloneDX' || missing.length > 0)
  throw new Error(`The list of components has no ${missing.join(', ')}.`);
console.log(`${components.length} components`);

// Its exit code is the same for an advisory and for a registry without them.
const report = JSON.parse(spawnSync('npm', ['audit', '--json'], options).stdout);
if (report.metadata === undefined) {
  console.log(`Advisories were not checked: ${report.message}`);
} else {
  const found = Object.values(report.vulnerabilities).filter(({ severity }) => ['high', 'critical'].includes(severity));
  console.log(`Advisories: ${JSON.stringify(report.metadata.vulnerabilities)}`);
  for (const { name, severity, range } of found) console.log(`${severity}: ${name} ${range}`);
  if (found.length > 0) process.exitCode = 1;
}
