// Reads the output of `npm run demo -- --example --json` and fails unless every committed change arrived at every
// destination, in order, and no rolled-back one did.
import { readFileSync } from 'node:fs';

const LEAST_TARGETS = 5;
const LEAST_CHANGES = 2_000;
const LEAST_ROLLED_BACK = 100;
const lastLine = readFileSync(process.argv[2], 'utf8').trimEnd().split('\n').at(-1);
const { committed, rolled_back: rolledBack, delivered, kills, targets, proof, ...counts } = JSON.parse(lastLine);

const wrong = [];
for (const name of ['lost', 'phantoms', 'order_violations', 'sequence_gaps', 'leaks', 'outbox_rows'])
  if (counts[name] !== 0) wrong.push(`${name}: ${counts[name]}`);
if (delivered !== committed) wrong.push(`${delivered} of ${committed} changes were delivered`);
if (proof !== 'verified') wrong.push(`the logs do not prove the arrivals: ${proof}`);
if (!(committed >= LEAST_CHANGES)) wrong.push(`only ${committed} changes were committed`);
if (!(rolledBack >= LEAST_ROLLED_BACK)) wrong.push(`only ${rolledBack} changes were rolled back`);
if (Object.keys(targets).length < LEAST_TARGETS) wrong.push(`only ${Object.keys(targets).length} targets were tested`);
for (const [kind, target] of Object.entries(targets))
  if (target.delivered !== committed) wrong.push(`${kind}: ${JSON.stringify(target)}`);
for (const name of ['api', 'relay', 'waybill']) if (!(kills[name] > 0)) wrong.push(`${name} was not killed`);

console.log(
  `${committed} changes committed, ${rolledBack} rolled back, ${delivered} delivered, in ${counts.seconds} s`,
);
if (wrong.length > 0) {
  console.error(wrong.join('\n'));
  process.exit(1);
}
