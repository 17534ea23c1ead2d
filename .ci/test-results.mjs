// Reads what test-durations.mjs wrote: node .ci/test-results.mjs counts|slowest FILE
// Prints the passed and the failed tests of all runs, as two numbers, or the 20 files that took longest.
import { readFileSync } from 'node:fs';

const [what, file] = process.argv.slice(2);
const runs = readFileSync(file, 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
if (what === 'counts') {
  const sum = (name) => runs.reduce((total, run) => total + run[name], 0);
  console.log(`${sum('passed')} ${sum('failed')}`);
} else {
  const slowest = runs
    .flatMap(({ files }) => Object.entries(files))
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 20);
  console.log('The slowest 20 files, in seconds:');
  for (const [name, seconds] of slowest) console.log(`${seconds.toFixed(1).padStart(6)} ${name}`);
}
