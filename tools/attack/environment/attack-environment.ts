import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyRole } from '../../../src/accounts/key-role.js';
import { AttackClient } from './attack-client.js';
import type { AttackedService } from './attacked-service.js';
import { openSocket, readHeads, requestText } from './raw-socket.js';
import { Tally } from './tally.js';

/** How an attack runs. */
export interface AttackOptions {
  /** True for the short form. */
  readonly short: boolean;
  /** Number of generated requests. */
  readonly requests: number;
  readonly log: (text: string) => void;
}

/** An account of an attack. */
export interface AttackAccount {
  readonly id: string;
  /** Client with the key of the account's admin. */
  readonly admin: AttackClient;
}

/** Longest time of requests on one socket. */
const SOCKET_MS = 60_000;
/** Bytes of a batch of events: below the limit of the API, also with a value in each 8 bytes. */
const BATCH_BYTES = 1_000_000;
const MOST_EVENTS = 500;

/** An event to publish. */
export type NewEvent = Readonly<{ type: string; resource_id: string; object: unknown } & Record<string, unknown>>;

/** What one attack uses and reports. */
export class AttackEnvironment {
  readonly tally = new Tally();
  readonly notes: string[] = [];
  readonly failures: string[] = [];
  private readonly clients: AttackClient[] = [];

  constructor(
    readonly service: AttackedService,
    readonly options: AttackOptions,
  ) {}

  /** Returns one of two values: for the full or the short form. */
  pick(full: number, short: number): number {
    return this.options.short ? short : full;
  }

  /** Adds a remark to the report. */
  note(text: string): void {
    this.notes.push(text);
  }

  /** Checks what must hold. */
  expect(holds: boolean, text: string): void {
    if (!holds) this.failures.push(text);
  }

  /** Creates an account. */
  async account(): Promise<AttackAccount> {
    const { accountId, token } = await this.service.createAccount('attacker');
    return { id: accountId, admin: this.client(token) };
  }

  /** Makes a client with a key; null for none. */
  client(token: string | null, baseUrl = this.service.baseUrl): AttackClient {
    const client = new AttackClient(this.tally, baseUrl, token);
    this.clients.push(client);
    return client;
  }

  /** Creates a bot user with a key of a role. Returns a client with the key. */
  async key(admin: AttackClient, role: KeyRole): Promise<AttackClient> {
    const bot = await admin.demand('POST', '/bot_users', { name: role });
    const key = await admin.demand('POST', '/api_keys', { owner_id: bot['id'], role });
    return this.client(String(key['token']));
  }

  /** Creates a resource type for any object. */
  async resourceType(admin: AttackClient, name: string, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await admin.demand('POST', '/resource_types', { name, actions: ['updated'], ...more });
  }

  /** Creates a resource type and publishes events of it, each of another resource. */
  async publishMany(admin: AttackClient, name: string, count: number, object: unknown): Promise<void> {
    await this.resourceType(admin, name);
    const type = `${name}_updated.v0`;
    const events = Array.from({ length: count }, (_, index) => ({ type, resource_id: `${name}-${index}`, object }));
    await this.publish(admin, events);
  }

  /** Publishes events in batches of the size that the API accepts. */
  async publish(client: AttackClient, events: readonly NewEvent[]): Promise<void> {
    let batch: NewEvent[] = [];
    let bytes = 0;
    for (const event of events) {
      const more = Buffer.byteLength(JSON.stringify(event)) + 1;
      if (batch.length === MOST_EVENTS || bytes + more > BATCH_BYTES) {
        await client.demand('POST', '/events', { events: batch });
        [batch, bytes] = [[], 0];
      }
      batch.push(event);
      bytes += more;
    }
    await client.demand('POST', '/events', { events: batch });
  }

  /** Sends reads on one socket at once, and counts the responses. */
  async pipeline(client: AttackClient, path: string, count: number): Promise<void> {
    const socket = await openSocket(client.baseUrl);
    socket.write(requestText(path, client.headers).repeat(count));
    const heads = await readHeads(socket, count, SOCKET_MS);
    for (const head of heads) this.tally.note(head);
    this.tally.noteUnanswered(count - heads.length);
  }

  /** Sends a read on each of many sockets at the same moment, and counts the responses. */
  async atOnce(client: AttackClient, path: string, sockets: number, headers: Readonly<Record<string, string>> = {}) {
    const opened = await Promise.all(Array.from({ length: sockets }, () => openSocket(client.baseUrl)));
    const text = requestText(path, { ...client.headers, ...headers });
    for (const socket of opened) socket.write(text);
    const heads = (await Promise.all(opened.map((socket) => readHeads(socket, 1, SOCKET_MS)))).flat();
    for (const head of heads) this.tally.note(head);
    this.tally.noteUnanswered(sockets - heads.length);
  }

  /**
   * Opens sockets that send a read, or the same one several times, and never read a response, for a time. Returns how
   * many the service ended.
   */
  async neverRead(client: AttackClient, path: string, sockets: number, ms: number, reads = 1): Promise<number> {
    const opened = await Promise.all(Array.from({ length: sockets }, () => openSocket(client.baseUrl)));
    for (const socket of opened) socket.pause().write(requestText(path, client.headers).repeat(reads));
    await sleep(ms);
    // Only a socket that is read notices its end.
    const ended = await Promise.all(
      opened.map(async (socket) => {
        const closed = new Promise<boolean>((resolve) => socket.once('close', () => resolve(true)));
        socket.resume();
        return Promise.race([closed, sleep(1_000, false)]);
      }),
    );
    for (const socket of opened) socket.destroy();
    return ended.filter(Boolean).length;
  }

  close(): void {
    for (const client of this.clients) client.close();
  }
}
