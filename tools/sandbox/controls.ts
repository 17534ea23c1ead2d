import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { targetKinds } from '../../src/targets/target.js';
import { write } from './respond.js';
import { json, parseJson, type Exchange } from './exchange.js';
import type { Sandbox } from './sandbox-contract.js';

/** Where the controls are. */
export const CONTROLS_PATH = '/_sandbox/';

const faultSchema = z.strictObject({
  target: z.enum([...targetKinds, 'sts', 'entra']).optional(),
  address: z.string().optional(),
  contains: z.string().min(1).optional(),
  kind: z.enum([
    'throttle',
    'partial',
    'timeout',
    'reset',
    'deny',
    'not_found',
    'unavailable',
    'too_large',
    'malformed',
    'redirect',
    'expired',
    'slow',
  ]),
  times: z.int().positive().optional(),
  ratio: z.number().min(0).max(1).optional(),
  delayMs: z.number().min(0).optional(),
  retryAfterSeconds: z.number().min(0).optional(),
  accepts: z.boolean().optional(),
});

const receivedSchema = z.strictObject({
  target: z.enum(targetKinds).optional(),
  address: z.string().optional(),
  after: z.coerce.number().int().min(0).optional(),
  limit: z.coerce.number().int().positive().optional(),
});

/** What the controls act on: the sandbox, and a way to drop less than everything. */
export interface Controlled extends Sandbox {
  readonly ca: string;
  clearFaults(): void;
  clearReceived(): void;
  faults(): readonly unknown[];
  events(filter: z.infer<typeof receivedSchema>): Iterable<unknown>;
}

/** Answers the requests under `/_sandbox/`: the same controls as in process, for others (see README.md). */
export async function control(
  exchange: Exchange,
  response: ServerResponse,
  sandbox: Controlled,
): Promise<void> {
  const route = `${exchange.method} ${exchange.path.slice(CONTROLS_PATH.length)}`;
  switch (route) {
    case 'GET health':
      return write(response, json(200, { status: 'ok' }));
    case 'GET environment':
      return write(response, json(200, sandbox.environment));
    case 'GET ca.pem':
      return write(response, {
        status: 200,
        headers: { 'content-type': 'application/x-pem-file' },
        body: sandbox.ca,
      });
    case 'GET calls':
      return write(response, json(200, sandbox.calls()));
    case 'GET counts':
      return write(response, json(200, sandbox.receivedCounts()));
    case 'GET early-calls':
      return write(response, json(200, sandbox.earlyCalls()));
    case 'GET assumed-roles':
      return write(response, json(200, sandbox.assumedRoles()));
    case 'GET received':
      return await received(exchange, response, sandbox);
    case 'DELETE received':
      sandbox.clearReceived();
      return write(response, { status: 204, headers: {}, body: '' });
    case 'GET faults':
      return write(response, json(200, sandbox.faults()));
    case 'POST faults':
      return write(response, script(exchange, sandbox));
    case 'DELETE faults':
      sandbox.clearFaults();
      return write(response, { status: 204, headers: {}, body: '' });
    case 'POST clear':
      sandbox.clear();
      return write(response, { status: 204, headers: {}, body: '' });
    case 'POST away':
      return goAway(exchange, response, sandbox);
    default:
      return write(response, json(404, { error: `The sandbox has no control ${route}` }));
  }
}

function script(exchange: Exchange, sandbox: Sandbox) {
  const fault = faultSchema.safeParse(parseJson(exchange.body.toString('utf8')));
  if (!fault.success) return json(400, { error: z.prettifyError(fault.error) });
  sandbox.script(fault.data);
  return json(201, fault.data);
}

const awaySchema = z.strictObject({ forMs: z.int().positive().max(3_600_000) });

/** Nobody can tell the sandbox to come back while it is away: how long has to be said before. */
function goAway(exchange: Exchange, response: ServerResponse, sandbox: Sandbox): void {
  const away = awaySchema.safeParse(parseJson(exchange.body.toString('utf8')));
  if (!away.success) return write(response, json(400, { error: z.prettifyError(away.error) }));
  response.once('close', () => {
    void sandbox.goAway();
    // This timer alone keeps a sandbox running that listens nowhere.
    setTimeout(() => void sandbox.comeBack(), away.data.forMs);
  });
  return write(response, json(202, away.data, { connection: 'close' }));
}

/** Events as NDJSON, one a line, as fast as the reader takes them. */
async function received(exchange: Exchange, response: ServerResponse, sandbox: Controlled): Promise<void> {
  const query = receivedSchema.safeParse(Object.fromEntries(new URLSearchParams(exchange.query)));
  if (!query.success) {
    write(response, json(400, { error: z.prettifyError(query.error) }));
    return;
  }
  const { limit = Number.POSITIVE_INFINITY, ...filter } = query.data;
  response.writeHead(200, { 'content-type': 'application/x-ndjson' });
  try {
    await pipeline(chunks(sandbox.events(filter), limit), response);
  } catch (error) {
    // A reader may leave when it has seen enough.
    if (!response.destroyed) throw error;
  }
}

const CHUNK_CHARACTERS = 64 * 1024;

/** Up to `limit` events as lines, in chunks large enough to be worth a write. */
function* chunks(events: Iterable<unknown>, limit: number): Generator<string> {
  let lines = '';
  let left = limit;
  for (const event of events) {
    if (left <= 0) break;
    left -= 1;
    lines += `${JSON.stringify(event)}\n`;
    if (lines.length < CHUNK_CHARACTERS) continue;
    yield lines;
    lines = '';
  }
  if (lines !== '') yield lines;
}
