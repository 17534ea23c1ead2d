import type { Attack } from '../attack.js';

const EVENTS = 100;
const BYTES = 2_000;
/** As many as a connection may have: one in progress, and those that wait. */
const READS = 11;
const PATH = '/events?limit=100';

/** Reads on few sockets, sent without waiting for a response, and on many sockets at the same moment. */
export const pipelinedReads: Attack = {
  name: 'pipelined-reads',
  title: 'reads sent on one socket, and on thousands at the same moment, without waiting for a response',
  async run(environment) {
    const { admin } = await environment.account();
    await environment.publishMany(admin, 'small', EVENTS, { text: 'x'.repeat(BYTES) });
    await environment.pipeline(await environment.key(admin, 'auditor'), PATH, 300);
    const keys = await Promise.all(
      Array.from({ length: environment.pick(6, 1) }, () => environment.key(admin, 'auditor')),
    );
    const sockets = keys.flatMap((key) => Array.from({ length: 60 }, () => environment.pipeline(key, PATH, READS)));
    await Promise.all(sockets);
    // Anyone may read these.
    const nobody = environment.client(null);
    await environment.neverRead(nobody, '/openapi.json', 500, 3_000, 60);
    await Promise.all(Array.from({ length: 40 }, () => environment.pipeline(nobody, '/livez', 2_000)));
    const connections = environment.pick(2_000, 1_000);
    await environment.atOnce(nobody, '/livez', connections);
    await environment.atOnce(nobody, '/livez', connections, { cookie: 'a=b; '.repeat(2_500) });
  },
};
