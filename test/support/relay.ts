import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';

/** Forwards a local port to a server, like a network that can lose all data. */
export class Relay {
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  private silent = false;

  private constructor(
    readonly port: number,
    server: Server,
  ) {
    this.server = server;
  }

  /** Opens a relay to the server of `url`. */
  static async to(url: string): Promise<Relay> {
    const { hostname, port } = new URL(url);
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('no port');
    const relay = new Relay(address.port, server);
    server.on('connection', (socket) => {
      if (relay.silent) relay.keep(socket);
      else relay.join(socket, connect(Number(port), hostname));
    });
    return relay;
  }

  /** Returns `url` with the address of this relay. */
  of(url: string): string {
    const through = new URL(url);
    through.hostname = '127.0.0.1';
    through.port = String(this.port);
    return through.href;
  }

  /** Drops all data of the open connections without closing them. New connections work. */
  forget(): void {
    for (const socket of this.sockets) {
      socket.unpipe();
      socket.on('data', () => {});
    }
  }

  /**
   * Drops all data of every connection until `speak`. The relay accepts new connections and does not open them to the
   * server: while a session of Postgres waits for its first message, DROP DATABASE waits too.
   */
  silence(): void {
    this.silent = true;
    this.forget();
  }

  /** New connections work again. */
  speak(): void {
    this.silent = false;
  }

  /** Closes all connections. */
  drop(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  async close(): Promise<void> {
    this.drop();
    this.server.close();
    await once(this.server, 'close');
  }

  private join(client: Socket, server: Socket): void {
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      this.keep(socket);
      socket.on('error', () => other.destroy());
    }
    client.pipe(server).pipe(client);
  }

  private keep(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => this.sockets.delete(socket));
  }
}
