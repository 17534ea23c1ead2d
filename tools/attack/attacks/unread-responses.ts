import type { Attack } from '../attack.js';

const EVENTS = 102;
const BYTES = 52_000;
const SOCKETS = 80;
/** Reads on each socket: the operating system takes some mebibytes of what nobody reads. */
const READS = 10;
/** The ten seconds until the service ends a connection, and the time until the responses are made. */
const UNREAD_MS = 30_000;

/** Readers that never read. */
export const unreadResponses: Attack = {
  name: 'unread-responses',
  title: 'readers of large pages and of the OpenAPI document that never read a response',
  onlyInFull: true,
  async run(environment) {
    const { admin } = await environment.account();
    await environment.publishMany(admin, 'large', EVENTS, { text: 'x'.repeat(BYTES) });
    const auditor = await environment.key(admin, 'auditor');
    // Anyone may read the OpenAPI document.
    const paths = [
      { client: auditor, path: '/events?limit=100' },
      { client: environment.client(null), path: '/openapi.json' },
    ];
    const [pages = 0, documents = 0] = await Promise.all(
      paths.map(({ client, path }) => environment.neverRead(client, path, SOCKETS, UNREAD_MS, READS)),
    );
    environment.note(`of ${SOCKETS} sockets each, ${pages} and ${documents} were ended`);
    environment.expect(pages > 0, 'a reader of pages that does not read was ended');
  },
};
