import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallCounter } from './call-counter.js';
import type { EndingFault, ScriptedFaults } from './faults.js';
import { json, type HttpResponse, type Call, type HttpRequest, type Protocol } from './protocol.js';
import type { RetryAfterTracker } from './retry-after-tracker.js';

/** Response of a vendor's load balancer without a backend. */
const unavailable: HttpResponse = {
  status: 503,
  headers: { 'content-type': 'text/html' },
  body: '<html><head><title>503 Service Temporarily Unavailable</title></head><body><h1>503 Service Temporarily Unavailable</h1></body></html>',
};

/** Result of a call: a response, a closed socket, or no response. */
type Ending = HttpResponse | 'reset' | 'timeout';

/** Path of redirected calls: they are handled as calls to the rest of the path, without faults. */
const REDIRECTED_PATH = '/_redirected';

/** Passes each request to its protocol, applies the scripted faults, and responds. */
export class RequestHandler {
  constructor(
    private readonly protocols: readonly Protocol[],
    private readonly faults: ScriptedFaults,
    private readonly calls: CallCounter,
    private readonly retryAfters: RetryAfterTracker,
  ) {}

  async handle(sent: HttpRequest, reply: ServerResponse): Promise<void> {
    const followed = sent.path.startsWith(`${REDIRECTED_PATH}/`);
    const request = followed ? { ...sent, path: sent.path.slice(REDIRECTED_PATH.length) } : sent;
    const call = await this.recognize(request);
    if (call === undefined) {
      write(reply, json(404, { error: `The sandbox has no protocol for ${request.method} ${request.path}` }));
      return;
    }
    const { delayMs, fault } = followed
      ? { delayMs: 0, fault: undefined }
      : this.faults.apply(call.service, call.address, call.carries);
    this.retryAfters.check(call.service, call.address);
    const ending = this.decide(call, request, fault);
    this.calls.add(call.service, call.operation, typeof ending === 'string' ? 0 : ending.status);
    if (delayMs > 0) await delay(delayMs, undefined, { ref: false });
    if (ending === 'timeout') return;
    if (ending === 'reset') reset(reply);
    else write(reply, ending);
    if (typeof ending !== 'string' && 'retry-after' in ending.headers)
      this.retryAfters.record(call.service, call.address, Number(ending.headers['retry-after']));
  }

  private async recognize(request: HttpRequest): Promise<Call | undefined> {
    for (const protocol of this.protocols) {
      const found = protocol(request);
      const call = found instanceof Promise ? await found : found;
      if (call !== undefined) return call;
    }
    return undefined;
  }

  private decide(call: Call, request: HttpRequest, fault: EndingFault | undefined): Ending {
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
        return redirect(request);
      case 'partial': {
        const fails = () => this.faults.chance(fault.ratio ?? 0.5);
        if (call.partial) return call.perform(fails);
        return fails() ? call.errors.failure() : call.perform(never);
      }
      default:
        return call.errors[fault.kind](fault.retryAfterSeconds);
    }
  }
}

const never = () => false;

function redirect({ origin, path, query }: HttpRequest): HttpResponse {
  const location = `${origin}${REDIRECTED_PATH}${path}${query === '' ? '' : `?${query}`}`;
  return { status: 307, headers: { location }, body: '' };
}

/** Sends a response, unless the client has disconnected. */
export function write(reply: ServerResponse, response: HttpResponse): void {
  if (reply.destroyed) return;
  const body = Buffer.from(response.body, 'utf8');
  reply.writeHead(
    response.status,
    response.status === 204 ? response.headers : { ...response.headers, 'content-length': body.length },
  );
  reply.end(body);
}

/** Closes the connection without a response: with a TCP reset, where the connection has no TLS. */
function reset(reply: ServerResponse): void {
  const { socket } = reply;
  if (socket === null) return;
  if ('encrypted' in socket) socket.destroy();
  else socket.resetAndDestroy();
}
