import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';

/** What a connection sends again and again. */
export interface FloodWork {
  readonly path: string;
  /** Requests that wait for a response at once. */
  readonly pipelined: number;
  /** Returns the body of a POST; absent for GET. */
  readonly body?: () => unknown;
}

const RESPONSE = 'HTTP/1.1 ';

/**
 * A connection that always has requests in progress, whatever the responses are. It counts them and reads nothing else:
 * a client that parses responses would use as much CPU as the server.
 */
export class Flood {
  private tail = '';
  private responses = 0;

  private constructor(
    private readonly socket: Socket,
    private readonly head: string,
    private readonly work: FloodWork,
  ) {
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (text: string) => this.read(text));
    socket.on('error', () => socket.destroy());
    for (let request = 0; request < work.pipelined; request += 1) this.send();
  }

  /** @param headers sent with every request */
  static async open(baseUrl: string, headers: Readonly<Record<string, string>>, work: FloodWork): Promise<Flood> {
    const { hostname, port, host } = new URL(baseUrl);
    const socket = createConnection({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    return new Flood(socket, lines.join(''), work);
  }

  /** Number of responses so far. */
  get answered(): number {
    return this.responses;
  }

  close(): void {
    this.socket.destroy();
  }

  private send(): void {
    const { path, body } = this.work;
    if (body === undefined) {
      this.socket.write(`GET ${path} HTTP/1.1\r\n${this.head}\r\n`);
      return;
    }
    const text = JSON.stringify(body());
    const lines = `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`;
    this.socket.write(`POST ${path} HTTP/1.1\r\n${this.head}${lines}\r\n${text}`);
  }

  private read(text: string): void {
    const received = this.tail + text;
    const count = received.split(RESPONSE).length - 1;
    this.tail = received.slice(1 - RESPONSE.length);
    this.responses += count;
    for (let request = 0; request < count; request += 1) this.send();
  }
}
