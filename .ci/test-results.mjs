// Prints the passed and the failed tests of a JSON report of Vitest, as two numbers: node .ci/test-results.mjs REPORT
import { readFileSync } from 'node:fs';

const counts = { passed: 0, failed: 0 };
for (const { status, assertionResults } of JSON.parse(readFileSync(process.argv[2], 'utf8')).testResults) {
  for (const result of assertionResults) if (result.status in counts) counts[result.status] += 1;
  // A file that could not be loaded has no tests.
  if (status !== 'passed' && !assertionResults.some((result) => result.status === 'failed')) counts.failed += 1;
}
console.log(`${counts.passed} ${counts.failed}`);
