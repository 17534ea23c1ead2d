// Reads Vitest's JSON reports.
//   node .ci/test-results.mjs failed REPORT           the test files that failed, a line each
//   node .ci/test-results.mjs count REPORT [AGAIN]    the passed and the failed tests, as two numbers; files of AGAIN
//                                                     replace those of REPORT
import { readFileSync } from 'node:fs';

const [command, first, again] = process.argv.slice(2);
const read = (file) => JSON.parse(readFileSync(file, 'utf8')).testResults;

if (command === 'failed') {
  for (const { name, status } of read(first)) if (status !== 'passed') console.log(name);
} else if (command === 'count') {
  const files = new Map([...read(first), ...(again ? read(again) : [])].map((file) => [file.name, file]));
  const counts = { passed: 0, failed: 0 };
  for (const { status, assertionResults } of files.values()) {
    for (const result of assertionResults) if (result.status in counts) counts[result.status] += 1;
    // A file that could not be loaded has no tests.
    if (status !== 'passed' && !assertionResults.some((result) => result.status === 'failed')) counts.failed += 1;
  }
  console.log(`${counts.passed} ${counts.failed}`);
} else {
  throw new Error(`Unknown command ${command}. Use "failed" or "count".`);
}
