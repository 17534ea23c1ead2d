import type { Attack } from '../attack.js';

const EVENTS = 102;
const BYTES = 52_000;

/** Readers that never read. */
export const unreadResponses: Attack = {
  name: 'unread-responses',
  title: 'readers of large pages that never read a response',
  short: false,
  async run(environment) {
    const { admin } = await environment.account();
    await environment.publishMany(admin, 'large', EVENTS, { text: 'x'.repeat(BYTES) });
    const auditor = await environment.key(admin, 'auditor');
    const sockets = 80;
    const ended = await environment.neverRead(auditor, '/events?limit=100', sockets, 20_000);
    environment.note(`${ended} of ${sockets} sockets were ended`);
  },
};
