import type { Attack } from '../attack.js';
import { createResources, MISSING_ID } from '../requests/known-resources.js';
import { fillPath } from '../requests/operations.js';

/** Fewest requests: that the examples of the OpenAPI document have made resources. */
const LEAST_TRIED = 100;

/** Requests with the ids of another account: nothing may tell them from ids that do not exist. */
export const foreignIds: Attack = {
  name: 'foreign-ids',
  title: 'each operation with the ids of another account, beside ids that do not exist',
  onlyInFull: true,
  async run(environment) {
    const victim = await environment.account();
    const known = await createResources(victim.admin);
    const { admin } = await environment.account();
    const different: string[] = [];
    let tried = 0;
    for (const operation of known.operations) {
      const { method, path, body } = operation;
      const ids = known.parametersOf(path);
      if (ids.length === 0 || !known.has(path)) continue;
      // The last characters decide: the prefix of the family stays.
      const missing = ids.map((id) => id.slice(0, -8) + MISSING_ID.slice(-8));
      for (const sent of body === undefined ? [undefined] : [known.bodyOf(operation), { unknown: true }]) {
        tried += 1;
        const foreign = await admin.send(method, fillPath(path, ids), sent);
        const absent = await admin.send(method, fillPath(path, missing), sent);
        const isSame = foreign.status === absent.status && foreign.body['error_code'] === absent.body['error_code'];
        if (!isSame || foreign.status < 400)
          different.push(`${method} ${path}: ${foreign.status} and ${absent.status}`);
      }
    }
    environment.note(`${tried} requests, on ${known.ids.length} resources`);
    environment.expect(tried >= LEAST_TRIED, `at least ${LEAST_TRIED} requests were made: not ${tried}`);
    environment.expect(different.length === 0, `the responses differ: ${different.join(', ')}`);
  },
};
