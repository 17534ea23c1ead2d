import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { AskedWaits } from './asked-waits.js';
import type { CallCounter } from './call-counter.js';
import { json, type Answer, type Call, type Exchange, type Protocol } from './exchange.js';
import type { EndingFault, FaultBook } from './faults.js';

/** What a vendor's load balancer says when there is nothing behind it. */
const unavailable: Answer = {
  status: 503,
  headers: { 'content-type': 'text/html' },
  body: '<html><head><title>503 Service Temporarily Unavailable</title></head><body><h1>503 Service Temporarily Unavailable</h1></body></html>',
};

/** How a call ends: with an answer, with a closed socket, or never. */
type Ending = Answer | 'reset' | 'timeout';

/** Where a redirect leads: what comes below it is taken as if it had come to the rest of the path, and no fault hits it. */
const REDIRECTED_PATH = '/_redirected';

/** Gives each request to the protocol that knows it, lets the scripted faults have their say, and answers. */
export class Answering {
  constructor(
    private readonly protocols: readonly Protocol[],
    private readonly faults: FaultBook,
    private readonly calls: CallCounter,
    private readonly waits: AskedWaits,
  ) {}

  async handle(sent: Exchange, response: ServerResponse): Promise<void> {
    const followed = sent.path.startsWith(`${REDIRECTED_PATH}/`);
    const exchange = followed ? { ...sent, path: sent.path.slice(REDIRECTED_PATH.length) } : sent;
    const call = await this.recognise(exchange);
    if (call === undefined) {
      write(
        response,
        json(404, { error: `The sandbox speaks no protocol with ${exchange.method} ${exchange.path}` }),
      );
      return;
    }
    const { delayMs, fault } = followed
      ? { delayMs: 0, fault: undefined }
      : this.faults.hit(call.service, call.address, call.carries);
    this.waits.call(call.service, call.address);
    const ending = this.decide(call, exchange, fault);
    this.calls.add(call.service, call.operation, typeof ending === 'string' ? 0 : ending.status);
    if (delayMs > 0) await delay(delayMs, undefined, { ref: false });
    if (ending === 'timeout') return;
    if (ending === 'reset') reset(response);
    else write(response, ending);
    if (typeof ending !== 'string' && 'retry-after' in ending.headers)
      this.waits.ask(call.service, call.address, Number(ending.headers['retry-after']));
  }

  private async recognise(exchange: Exchange): Promise<Call | undefined> {
    for (const protocol of this.protocols) {
      const found = protocol(exchange);
      const call = found instanceof Promise ? await found : found;
      if (call !== undefined) return call;
    }
    return undefined;
  }

  private decide(call: Call, exchange: Exchange, fault: EndingFault | undefined): Ending {
    if (fault === undefined) return call.perform(never);
    switch (fault.kind) {
      case 'timeout':
      case 'reset':
        if (fault.accepts === true) call.perform(never);
        return fault.kind;
      case 'unavailable':
        if (fault.accepts === true) call.perform(never);
        return unavailable;
      case 'redirect':
        return redirect(exchange);
      case 'partial': {
        const fails = () => this.faults.chance(fault.ratio ?? 0.5);
        if (call.partial) return call.perform(fails);
        return fails() ? call.refuse('failure') : call.perform(never);
      }
      default:
        return call.refuse(fault.kind, fault.retryAfterSeconds);
    }
  }
}

const never = () => false;

/** Leads to where the call would be taken. */
function redirect({ origin, path, query }: Exchange): Answer {
  const location = `${origin}${REDIRECTED_PATH}${path}${query === '' ? '' : `?${query}`}`;
  return { status: 307, headers: { location }, body: '' };
}

/** Sends an answer; one that nobody waits for any more is dropped. */
export function write(response: ServerResponse, answer: Answer): void {
  if (response.destroyed) return;
  const body = Buffer.from(answer.body, 'utf8');
  response.writeHead(
    answer.status,
    answer.status === 204 ? answer.headers : { ...answer.headers, 'content-length': body.length },
  );
  response.end(body);
}

/** Closes the connection without an answer: with a TCP reset where there is no TLS in between. */
function reset(response: ServerResponse): void {
  const { socket } = response;
  if (socket === null) return;
  if ('encrypted' in socket) socket.destroy();
  else socket.resetAndDestroy();
}
