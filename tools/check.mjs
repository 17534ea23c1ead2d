// Runs the checks, or those that are named: `npm run check -- lint layers`. The types are checked beside the others.
import { spawn } from 'node:child_process';

const checks = {
  types: 'tsc --noEmit && tsc --noEmit -p console',
  format: 'oxfmt --check',
  lint: 'oxlint --type-aware --deny-warnings',
  layers:
    'depcruise --config .dependency-cruiser.cjs src tools packages/*/src examples/*/src && ' +
    'depcruise --config console/.dependency-cruiser.cjs console/src',
  dead: 'knip',
  generated: 'npm run generate --silent -- --check',
  prose: 'npm run build --silent && node dist/tools/prose/main.js',
};

const given = process.argv.slice(2);
const unknown = given.filter((name) => !Object.hasOwn(checks, name));
if (unknown.length > 0) {
  console.error(`There is no check ${unknown.join(', ')}. The checks are ${Object.keys(checks).join(', ')}.`);
  process.exit(2);
}
const chosen = given.length > 0 ? given : Object.keys(checks);
const passed = await Promise.all([
  inOrder(chosen.filter((name) => name === 'types')),
  inOrder(chosen.filter((name) => name !== 'types')),
]);
process.exitCode = passed.every(Boolean) ? 0 : 1;

/** Runs checks until one fails, and prints the output of each when it has ended. Returns whether all passed. */
async function inOrder(names) {
  for (const name of names) {
    const { code, output } = await run(checks[name]);
    process.stdout.write(`${name}: ${code === 0 ? 'passed' : 'FAILED'}\n${output}`);
    if (code !== 0) return false;
  }
  return true;
}

function run(command) {
  return new Promise((resolve) => {
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.once('close', (code) => resolve({ code, output }));
  });
}
