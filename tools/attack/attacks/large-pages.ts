import type { Attack } from '../attack.js';

/** A page of these events has 5.3 MB. */
const EVENTS = 102;
const BYTES = 52_000;
const READERS = 200;

/** Many readers of the largest pages. */
export const largePages: Attack = {
  name: 'large-pages',
  title: 'many readers at once of pages and exports of the largest events, and of the OpenAPI document',
  onlyInFull: true,
  async run(environment) {
    const { admin } = await environment.account();
    await environment.publishMany(admin, 'large', EVENTS, { text: 'x'.repeat(BYTES) });
    const auditor = await environment.key(admin, 'auditor');
    const paths = ['/events?limit=100', '/events/export?format=csv', '/events/export?format=ndjson', '/openapi.json'];
    for (const path of paths) {
      await Promise.all(Array.from({ length: READERS }, () => auditor.send('GET', path, undefined, { discard: true })));
      if (!environment.service.isRunning)
        return environment.note(`the process ended with ${READERS} readers of ${path}`);
    }
  },
};
