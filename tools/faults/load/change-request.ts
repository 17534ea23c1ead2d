import { Agent, request, type IncomingMessage } from 'node:http';

/** What became of a request. */
export type RequestOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly operationId: string; readonly id: string }
  /** No connection could be made: nobody has seen the request. */
  | { readonly kind: 'refused' }
  /** The connection was lost, or the time was over, before an answer: the change may have been made or not. */
  | { readonly kind: 'unanswered' };

/** Longest that a request may take, in milliseconds: what balancers wait at least, and more than Waybill waits for a store. */
const PATIENCE_MS = 30_000;

/** Sends changes over kept-alive connections, as a client's library does, and says what became of each. Retries nothing. */
export class ChangeClient {
  private readonly agent: Agent;

  constructor(
    private readonly token: string,
    connections: number,
  ) {
    this.agent = new Agent({ keepAlive: true, maxSockets: connections });
  }

  send(baseUrl: string, method: string, path: string, body?: unknown): Promise<RequestOutcome> {
    const text = body === undefined ? '' : JSON.stringify(body);
    return new Promise((resolve) => {
      let connected = false;
      const sent = request(`${baseUrl}${path}`, {
        method,
        agent: this.agent,
        timeout: PATIENCE_MS,
        headers: {
          authorization: `Bearer ${this.token}`,
          'service-version': '2',
          'user-agent': 'waybill-faults',
          ...(text !== '' && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(text),
          }),
        },
      });
      const lost = () => resolve({ kind: connected ? 'unanswered' : 'refused' });
      sent.on('socket', (socket) => {
        if (!socket.connecting) connected = true;
        else socket.once('connect', () => (connected = true));
      });
      sent.on('timeout', () => sent.destroy(new Error('no answer in time')));
      sent.on('error', lost);
      sent.on('response', (response) => void answerOf(response).then(resolve, lost));
      sent.end(text);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

async function answerOf(response: IncomingMessage): Promise<RequestOutcome> {
  response.setEncoding('utf8');
  let text = '';
  for await (const chunk of response) text += String(chunk);
  const body: unknown = text === '' ? null : JSON.parse(text);
  const id = typeof body === 'object' && body !== null && 'id' in body ? String(body.id) : '';
  return {
    kind: 'answered',
    status: response.statusCode ?? 0,
    operationId: String(response.headers['operation-id'] ?? ''),
    id,
  };
}
