import { Agent, request, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { Tally } from './tally.js';

/** A response; the status is 0 without one. */
export interface AttackResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** Empty where the body was discarded. */
  readonly text: string;
  /** The parsed body of a JSON object; an empty object otherwise. */
  readonly body: Readonly<Record<string, unknown>>;
}

/** How a request is sent. */
export interface SendOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** Reads the body without keeping it. */
  readonly discard?: boolean;
}

/** Longer than any limit of the service. */
const TIMEOUT_MS = 60_000;

/** Client of the API with one key. Each request is counted. */
export class AttackClient {
  private readonly agent = new Agent({ keepAlive: true });

  constructor(
    private readonly tally: Tally,
    readonly baseUrl: string,
    readonly token: string | null,
  ) {}

  /** Headers of each request. */
  get headers(): Readonly<Record<string, string>> {
    return {
      'service-version': '2',
      'user-agent': 'waybill-attack',
      ...(this.token !== null && { authorization: `Bearer ${this.token}` }),
    };
  }

  /** Sends a request. A body that is no text is sent as JSON. Never throws. */
  async send(method: string, path: string, body?: unknown, options: SendOptions = {}): Promise<AttackResponse> {
    const response = await this.exchange(method, path, body, options).catch(() => null);
    if (response === null) this.tally.noteUnanswered();
    else this.tally.note({ status: response.status, hasRetryAfter: 'retry-after' in response.headers });
    return response ?? { status: 0, headers: {}, text: '', body: {} };
  }

  /** Sends a request and returns the body of the response. @throws Error unless the status is 2xx */
  async demand(method: string, path: string, body?: unknown): Promise<AttackResponse['body']> {
    const response = await this.send(method, path, body);
    if (response.status >= 200 && response.status < 300) return response.body;
    throw new Error(`${method} ${path} returned ${response.status}: ${response.text.slice(0, 1_000)}`);
  }

  /** Ends the connections. */
  close(): void {
    this.agent.destroy();
  }

  private exchange(method: string, path: string, body: unknown, options: SendOptions): Promise<AttackResponse> {
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    return new Promise((resolve, reject) => {
      const sent = request(`${this.baseUrl}${path}`, {
        method,
        agent: this.agent,
        timeout: TIMEOUT_MS,
        headers: {
          ...this.headers,
          ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...options.headers,
        },
      });
      sent.on('timeout', () => sent.destroy(new Error('timeout')));
      sent.on('error', reject);
      sent.on('response', (response) => void read(response, options.discard === true).then(resolve, reject));
      sent.end(text);
    });
  }
}

async function read(response: IncomingMessage, discard: boolean): Promise<AttackResponse> {
  const parts: Buffer[] = [];
  for await (const part of response) if (!discard) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString();
  const isJson = /^application\/(problem\+)?json/.test(response.headers['content-type'] ?? '') && text.startsWith('{');
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text,
    body: isJson ? (JSON.parse(text) as Record<string, unknown>) : {},
  };
}
