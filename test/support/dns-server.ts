import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';

/** The answer for a name: the values of its records (`{}` for a name without records), a failure, or none. */
export type DnsAnswer = { readonly CNAME?: string; readonly NS?: readonly string[] } | 'servfail' | 'silent';

/** https://www.rfc-editor.org/rfc/rfc1035#section-3.2.2 */
const types = { NS: 2, CNAME: 5 } as const;
const NO_ERROR = 0;
const SERVER_FAILURE = 2;
const NO_SUCH_NAME = 3;

/**
 * A DNS server on loopback over UDP. Authoritative for the names in `records` (in lower case); all others are NXDOMAIN.
 * Answers one question per message (RFC 1035 section 4).
 */
export class DnsServer {
  readonly records = new Map<string, DnsAnswer>();
  /** The questions so far, in order, as `TYPE name`. */
  readonly asked: string[] = [];

  private constructor(private readonly socket: Socket) {
    socket.on('message', (message, from) => {
      const answer = this.answer(message);
      if (answer) socket.send(answer, from.port, from.address);
    });
  }

  static async start(): Promise<DnsServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new DnsServer(socket);
  }

  /** A value for DNS_SERVERS. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  async close(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  private answer(query: Buffer): Buffer | null {
    const { name, end } = readName(query, 12);
    const type = query.readUInt16BE(end);
    const found = this.records.get(name);
    this.asked.push(`${type === types.NS ? 'NS' : type === types.CNAME ? 'CNAME' : type} ${name}`);
    if (found === 'silent') return null;
    const values =
      found === undefined || found === 'servfail'
        ? []
        : type === types.NS
          ? (found.NS ?? [])
          : type === types.CNAME && found.CNAME !== undefined
            ? [found.CNAME]
            : [];
    const code = found === 'servfail' ? SERVER_FAILURE : found === undefined ? NO_SUCH_NAME : NO_ERROR;
    const header = Buffer.alloc(12);
    header.writeUInt16BE(query.readUInt16BE(0), 0);
    // Flags: response, authoritative, recursion available; recursion desired is copied from the query.
    header.writeUInt16BE(0x8480 | (query.readUInt16BE(2) & 0x0100) | code, 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(values.length, 6);
    return Buffer.concat([
      header,
      query.subarray(12, end + 4),
      ...values.map((value) => record(type, encodeName(value))),
    ]);
  }
}

/** Encodes a record for the name of the question, by a pointer to that name, with a TTL of 0. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(0, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}

function readName(message: Buffer, start: number): { readonly name: string; readonly end: number } {
  const labels: string[] = [];
  let at = start;
  for (;;) {
    const length = message.readUInt8(at);
    if (length === 0) return { name: labels.join('.').toLowerCase(), end: at + 1 };
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => [Buffer.from([label.length]), Buffer.from(label, 'latin1')]);
  return Buffer.concat([...labels.flat(), Buffer.from([0])]);
}
