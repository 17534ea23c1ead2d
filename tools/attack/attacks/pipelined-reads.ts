import type { Attack } from '../attack.js';

const EVENTS = 100;
const BYTES = 2_000;
const PATH = '/events?limit=100';

/** Reads on few sockets, sent without waiting for a response. */
export const pipelinedReads: Attack = {
  name: 'pipelined-reads',
  title: 'reads sent on 1 and on 20 sockets without waiting for a response',
  short: true,
  async run(environment) {
    const { admin } = await environment.account();
    await environment.publishMany(admin, 'small', EVENTS, { text: 'x'.repeat(BYTES) });
    const reads = 300;
    await environment.pipeline(await environment.key(admin, 'auditor'), PATH, reads);
    const keys = await Promise.all(
      Array.from({ length: environment.pick(6, 1) }, () => environment.key(admin, 'auditor')),
    );
    const sockets = keys.flatMap((key) => Array.from({ length: 20 }, () => environment.pipeline(key, PATH, reads)));
    await Promise.all(sockets);
  },
};
