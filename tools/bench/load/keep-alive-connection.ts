import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';

/** The parts of a response that a load uses. */
export interface LoadResponse {
  readonly status: number;
  readonly operationId: string;
  /** Time of its first byte, milliseconds since the epoch with fractions. */
  readonly atMs: number;
}

/**
 * Keep-alive HTTP/1.1 connection with one request at a time. It writes to the socket, because a client library would
 * use as much CPU as the server.
 */
export class KeepAliveConnection {
  private received = '';
  private firstByteAtMs = 0;
  private waiting: { resolve(response: LoadResponse): void; reject(error: Error): void } | undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly head: string,
  ) {
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (text: string) => this.read(text));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('The server closed a connection of the load generator.')));
  }

  /** @param headers sent with every request */
  static async open(baseUrl: string, headers: Readonly<Record<string, string>>): Promise<KeepAliveConnection> {
    const { hostname, port, host } = new URL(baseUrl);
    const socket = createConnection({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    return new KeepAliveConnection(socket, lines.join(''));
  }

  /**
   * Posts JSON and returns the response.
   * @throws Error when the connection is lost
   */
  async post(path: string, body: string): Promise<LoadResponse> {
    const length = Buffer.byteLength(body);
    const type = 'content-type: application/json\r\n';
    this.firstByteAtMs = 0;
    const received = new Promise<LoadResponse>((resolve, reject) => {
      this.waiting = { resolve, reject };
    });
    this.socket.write(`POST ${path} HTTP/1.1\r\n${this.head}${type}content-length: ${length}\r\n\r\n${body}`);
    return received;
  }

  close(): void {
    this.waiting = undefined;
    this.socket.destroy();
  }

  private read(text: string): void {
    if (this.firstByteAtMs === 0) this.firstByteAtMs = performance.timeOrigin + performance.now();
    this.received += text;
    const response = parseResponse(this.received, this.firstByteAtMs);
    if (response === null) return;
    this.received = '';
    const waiting = this.waiting;
    this.waiting = undefined;
    waiting?.resolve(response);
  }

  private fail(error: Error): void {
    this.waiting?.reject(error);
    this.waiting = undefined;
  }
}

/** Parses a response with a content-length; null if it is incomplete. One character is one byte. */
export function parseResponse(text: string, atMs: number): LoadResponse | null {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return null;
  const head = text.slice(0, end);
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  if (text.length < end + 4 + length) return null;
  return {
    status: Number(head.slice('HTTP/1.1 '.length, 'HTTP/1.1 200'.length)),
    operationId: /^operation-id: *(\S+)/im.exec(head)?.[1] ?? '',
    atMs,
  };
}
