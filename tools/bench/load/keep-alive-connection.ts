import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';

/** An answer as far as a load needs it. */
export interface LoadAnswer {
  readonly status: number;
  readonly operationId: string;
  /** When its first byte was here, milliseconds since the epoch with fractions. */
  readonly atMs: number;
}

/**
 * One kept-alive HTTP/1.1 connection with one request on it at a time. Written on the socket itself, because a client library
 * would use as much of the machine as the server that is measured.
 */
export class KeepAliveConnection {
  private received = '';
  private firstByteAtMs = 0;
  private waiting: { resolve(answer: LoadAnswer): void; reject(error: Error): void } | undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly head: string,
  ) {
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (text: string) => this.read(text));
    socket.on('error', (error) => this.fail(error));
    socket.on('close', () => this.fail(new Error('The server closed a connection of the load.')));
  }

  /** @param headers sent with every request */
  static async open(
    baseUrl: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<KeepAliveConnection> {
    const { hostname, port, host } = new URL(baseUrl);
    const socket = createConnection({ host: hostname, port: Number(port) });
    await once(socket, 'connect');
    const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
    return new KeepAliveConnection(socket, lines.join(''));
  }

  /**
   * Posts JSON and waits for the answer.
   * @throws Error when the connection is lost
   */
  async post(path: string, body: string): Promise<LoadAnswer> {
    const length = Buffer.byteLength(body);
    const type = 'content-type: application/json\r\n';
    this.firstByteAtMs = 0;
    const answered = new Promise<LoadAnswer>((resolve, reject) => {
      this.waiting = { resolve, reject };
    });
    this.socket.write(`POST ${path} HTTP/1.1\r\n${this.head}${type}content-length: ${length}\r\n\r\n${body}`);
    return answered;
  }

  close(): void {
    this.waiting = undefined;
    this.socket.destroy();
  }

  private read(text: string): void {
    if (this.firstByteAtMs === 0) this.firstByteAtMs = performance.timeOrigin + performance.now();
    this.received += text;
    const answer = parseAnswer(this.received, this.firstByteAtMs);
    if (answer === null) return;
    this.received = '';
    const waiting = this.waiting;
    this.waiting = undefined;
    waiting?.resolve(answer);
  }

  private fail(error: Error): void {
    this.waiting?.reject(error);
    this.waiting = undefined;
  }
}

/** Reads an answer that has a content-length; null while it is not complete. One character is one byte. */
export function parseAnswer(text: string, atMs: number): LoadAnswer | null {
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
