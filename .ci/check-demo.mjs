// Reads the output of `npm run demo -- --json` and fails unless every target received every event once and in order.
import { readFileSync } from 'node:fs';

const LEAST_TARGETS = 5;
const lastLine = readFileSync(process.argv[2], 'utf8').trimEnd().split('\n').at(-1);
const { published, targets, proof } = JSON.parse(lastLine);
const kinds = Object.keys(targets);

const wrong = kinds.flatMap((kind) => {
  const { expected, delivered, lost, duplicates, sequence_gaps: gaps, out_of_order: late } = targets[kind] ?? {};
  const faults = [lost, duplicates, gaps, late];
  const complete = expected > 0 && delivered === expected && faults.every((count) => count === 0);
  return complete ? [] : [`${kind}: ${JSON.stringify(targets[kind])}`];
});
if (kinds.length < LEAST_TARGETS) wrong.push(`only ${kinds.length} targets were tested`);
if (proof !== 'verified') wrong.push(`the logs do not prove the arrivals: ${proof}`);
if (!(published >= 100)) wrong.push(`only ${published} events were published`);

console.log(`${published} events published; ${kinds.map((kind) => `${kind} ${targets[kind]?.delivered}`).join(', ')}`);
if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exit(1);
}
