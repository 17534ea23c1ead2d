import { Agent, request, type IncomingMessage } from 'node:http';

/** Result of a request. */
export type RequestOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly operationId: string; readonly id: string }
  /** No connection: the request was not sent. */
  | { readonly kind: 'refused' }
  /** Connection lost, or timeout: the change may be committed or not. */
  | { readonly kind: 'unanswered' };

/** Sends changes over keep-alive connections and returns the result of each. Does not retry. */
export class ChangeClient {
  private readonly agent: Agent;

  constructor(
    private readonly token: string,
    connections: number,
    private readonly timeoutMs: number,
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
        timeout: this.timeoutMs,
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
      sent.on('timeout', () => sent.destroy(new Error('timeout')));
      sent.on('error', lost);
      sent.on('response', (response) => void readResponse(response).then(resolve, lost));
      sent.end(text);
    });
  }

  close(): void {
    this.agent.destroy();
  }
}

async function readResponse(response: IncomingMessage): Promise<RequestOutcome> {
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
