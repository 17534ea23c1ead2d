import type { Attack } from '../attack.js';
import { openSocket, readHeads } from '../environment/raw-socket.js';

/** Second request, in the body of the first. */
const HIDDEN = 'GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n';
const CHUNKED = `0\r\n\r\n${HIDDEN}`;

/** Headers about whose body a proxy and the service may disagree. */
const heads: readonly string[] = [
  `Transfer-Encoding: gzip, chunked\r\n`,
  `Transfer-Encoding: chunked, identity\r\n`,
  `Transfer-Encoding: xchunked\r\n`,
  `Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n`,
  `Transfer-Encoding : chunked\r\n`,
  ` Transfer-Encoding: chunked\r\n`,
  `Transfer-Encoding:\tchunked\r\nContent-Length: 5\r\n`,
  `Transfer-Encoding: chunked\r\nContent-Length: 5\r\n`,
  `Content-Length: 5\r\nContent-Length: 6\r\n`,
  `Content-Length: 5, 5\r\n`,
  `Content-Length: +5\r\n`,
  `Content-Length: 0x5\r\n`,
  `Content-Length: -1\r\n`,
  `X: a\nTransfer-Encoding: chunked\r\n`,
  `X: a\r\n Transfer-Encoding: chunked\r\n`,
  `X: a\0b\r\n`,
];

/** Requests that two readers take for different ones. */
export const smuggling: Attack = {
  name: 'smuggling',
  title: 'a second request in the body of one whose length is ambiguous',
  async run(environment) {
    const { admin } = await environment.account();
    const accepted: string[] = [];
    for (const head of heads) {
      const socket = await openSocket(environment.service.baseUrl);
      const common = `Host: localhost\r\nAuthorization: Bearer ${admin.token}\r\nService-Version: 2\r\nContent-Type: application/json\r\n`;
      const response = readHeads(socket, 2, 3_000);
      socket.write(`POST /ip_policies HTTP/1.1\r\n${common}${head}\r\n${CHUNKED}`);
      const [first, second] = await response;
      if (first) environment.tally.note(first);
      if (first?.status !== 400 || second) accepted.push(JSON.stringify(head));
    }
    environment.expect(accepted.length === 0, `not refused alone with 400: ${accepted.join(', ')}`);
  },
};
