import fc from 'fast-check';
import type { Attack } from '../attack.js';
import type { AttackClient } from '../environment/attack-client.js';
import { requestsOf, type GeneratedRequest } from '../requests/generated-requests.js';
import { createResources } from '../requests/known-resources.js';

/** Every run generates the same requests. */
const SEED = 20_260_101;
/** Requests of one operation in a turn. */
const TURN = 25;
/** Requests in flight. */
const CONNECTIONS = 16;
const PROGRESS_EVERY = 10_000;

/** Valid and invalid requests for every operation. */
export const generatedRequests: Attack = {
  name: 'generated-requests',
  title: 'generated requests for every operation, valid and invalid ones (--requests)',
  onlyInFull: true,
  // They would test the rate limit.
  settings: { RATE_LIMIT_PER_MINUTE: '0', UNKNOWN_KEYS_PER_MINUTE: '0' },
  async run(environment) {
    const { admin } = await environment.account();
    const known = await createResources(admin);
    environment.note(`${known.operations.length} operations, ${known.ids.length} resources`);
    const { requests } = environment.options;
    let sent = 0;
    for (let turn = 0; sent < requests && environment.service.isRunning; turn += 1)
      for (const operation of known.operations) {
        if (sent >= requests) break;
        const generated = fc.sample(requestsOf(operation, known), { seed: SEED + turn, numRuns: TURN });
        await sendAll(admin, operation.method, generated);
        const before = sent;
        sent += generated.length;
        if (Math.floor(sent / PROGRESS_EVERY) > Math.floor(before / PROGRESS_EVERY))
          environment.options.log(`${sent} requests: ${environment.tally.summary}`);
      }
  },
};

async function sendAll(admin: AttackClient, method: string, requests: readonly GeneratedRequest[]): Promise<void> {
  const left = requests.values();
  const run = async () => {
    for (const { path, body, headers } of left) await admin.send(method, path, body, { headers });
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, run));
}
