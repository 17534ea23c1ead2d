import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** An event as the stub received it. */
export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly resource_id: string;
  readonly object: Readonly<Record<string, unknown>>;
}

/** How the stub answers one request. */
export type StubAnswer =
  /** Stores the batch and answers as Waybill does. */
  | 'accept'
  /** Does not answer. */
  | 'hang'
  /** Ends the connection without an answer; `store_and_reset` stores the batch before. */
  | 'reset'
  | 'store_and_reset'
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: unknown };

/** Chooses the answer to a batch. */
export type Script = (batch: readonly ReceivedEvent[], request: number) => StubAnswer;

/**
 * A server on loopback for the answers that Waybill does not give on demand. Like Waybill, it stores an id once.
 */
export interface WaybillStub {
  readonly url: string;
  /** The stored events in order, without repetitions. */
  readonly stored: readonly ReceivedEvent[];
  /** Every batch that was received. */
  readonly batches: readonly (readonly ReceivedEvent[])[];
  readonly headers: readonly IncomingMessage['headers'][];
  /** The bodies as they were received. */
  readonly texts: readonly string[];
  /** When each request arrived, in milliseconds. */
  readonly times: readonly number[];
  /** Largest number of requests at once. */
  mostAtOnce(): number;
  /** Changes the answers from the next request on. */
  answer(script: Script): void;
  close(): Promise<void>;
}

/** Starts the stub; it accepts everything by default. */
export async function startWaybillStub(script: Script = () => 'accept'): Promise<WaybillStub> {
  let current = script;
  const stored = new Map<string, ReceivedEvent>();
  const batches: ReceivedEvent[][] = [];
  const headers: IncomingMessage['headers'][] = [];
  const texts: string[] = [];
  const times: number[] = [];
  const open = { now: 0, most: 0 };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    times.push(performance.now());
    open.now += 1;
    open.most = Math.max(open.most, open.now);
    response.on('close', () => (open.now -= 1));
    const text = await readBody(request);
    const { events } = JSON.parse(text) as { events: ReceivedEvent[] };
    batches.push(events);
    headers.push(request.headers);
    texts.push(text);
    const answer = current(events, batches.length);
    if (answer === 'hang') return;
    if (answer === 'reset') return void request.socket.destroy();
    if (typeof answer === 'object') {
      const { status, headers: more = {}, body = '' } = answer;
      response.writeHead(status, more).end(typeof body === 'string' ? body : JSON.stringify(body));
      return;
    }
    const results = events.map((event) => {
      const duplicate = stored.has(event.id);
      if (!duplicate) stored.set(event.id, event);
      return { event_id: `evt_${event.id}`, duplicate };
    });
    if (answer === 'store_and_reset') return void request.socket.destroy();
    response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify({ events: results }));
  };

  const server = createServer((request, response) => void handle(request, response).catch(() => response.destroy()));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The stub has no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    get stored() {
      return [...stored.values()];
    },
    batches,
    headers,
    texts,
    times,
    mostAtOnce: () => open.most,
    answer: (next) => (current = next),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** A problem document of Waybill. */
export function problem(
  status: number,
  errorCode: string,
  more: { readonly detail?: string; readonly errors?: readonly { pointer: string; detail: string }[] } = {},
): StubAnswer {
  const body = { status, error_code: errorCode, detail: more.detail ?? 'refused', ...more };
  return { status, headers: { 'content-type': 'application/problem+json' }, body };
}
