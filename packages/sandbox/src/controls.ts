import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { json, parseJson, type HttpRequest } from './protocol.js';
import { write } from './request-handler.js';
import { faultKinds, serviceNames, targetKinds, type Sandbox } from './sandbox-contract.js';
import { vendorExport } from './vendor-export.js';

export const CONTROLS_PATH = '/_sandbox/';

const faultSchema = z.strictObject({
  target: z.enum(serviceNames).optional(),
  address: z.string().optional(),
  contains: z.string().min(1).optional(),
  kind: z.enum(faultKinds),
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

const exportSchema = z.strictObject({ target: z.enum(targetKinds), address: z.string().optional() });

/** The sandbox with the methods that only the HTTP controls use. */
export interface ControllableSandbox extends Sandbox {
  readonly ca: string;
  clearFaults(): void;
  clearReceived(): void;
  faults(): readonly unknown[];
  events(filter: z.infer<typeof receivedSchema>): Iterable<unknown>;
}

/** Handles requests below `/_sandbox/`: the controls for other processes. See README.md. */
export async function handleControl(
  request: HttpRequest,
  reply: ServerResponse,
  sandbox: ControllableSandbox,
): Promise<void> {
  const route = `${request.method} ${request.path.slice(CONTROLS_PATH.length)}`;
  switch (route) {
    case 'GET health':
      return write(reply, json(200, { status: 'ok' }));
    case 'GET environment':
      return write(reply, json(200, sandbox.environment));
    case 'GET ca.pem':
      return write(reply, {
        status: 200,
        headers: { 'content-type': 'application/x-pem-file' },
        body: sandbox.ca,
      });
    case 'GET calls':
      return write(reply, json(200, sandbox.calls()));
    case 'GET counts':
      return write(reply, json(200, sandbox.receivedCounts()));
    case 'GET early-calls':
      return write(reply, json(200, sandbox.earlyCalls()));
    case 'GET assumed-roles':
      return write(reply, json(200, sandbox.assumedRoles()));
    case 'GET received':
      return await received(request, reply, sandbox);
    case 'GET export':
      return exported(request, reply, sandbox);
    case 'DELETE received':
      sandbox.clearReceived();
      return write(reply, { status: 204, headers: {}, body: '' });
    case 'GET faults':
      return write(reply, json(200, sandbox.faults()));
    case 'POST faults':
      return write(reply, script(request, sandbox));
    case 'DELETE faults':
      sandbox.clearFaults();
      return write(reply, { status: 204, headers: {}, body: '' });
    case 'GET cosigner':
      return write(reply, json(200, { vkey: sandbox.cosigner.vkey, logs: sandbox.cosigner.sizes() }));
    case 'POST cosigner':
      return write(reply, trust(request, sandbox));
    case 'POST clear':
      sandbox.clear();
      return write(reply, { status: 204, headers: {}, body: '' });
    case 'POST away':
      return away(request, reply, sandbox);
    default:
      return write(reply, json(404, { error: `The sandbox has no control ${route}.` }));
  }
}

function script(request: HttpRequest, sandbox: Sandbox) {
  const fault = faultSchema.safeParse(parseJson(request.body.toString('utf8')));
  if (!fault.success) return json(400, { error: z.prettifyError(fault.error) });
  sandbox.script(fault.data);
  return json(201, fault.data);
}

function trust({ body }: HttpRequest, { cosigner }: Sandbox) {
  try {
    cosigner.trust(body.toString('utf8'));
    return json(200, { vkey: cosigner.vkey });
  } catch (error) {
    return json(400, { error: error instanceof Error ? error.message : String(error) });
  }
}

const awaySchema = z.strictObject({ forMs: z.int().positive().max(3_600_000) });

/** Stops listening for a given time: without a listener, no request could end it. */
function away(request: HttpRequest, reply: ServerResponse, sandbox: Sandbox): void {
  const body = awaySchema.safeParse(parseJson(request.body.toString('utf8')));
  if (!body.success) return write(reply, json(400, { error: z.prettifyError(body.error) }));
  reply.once('close', () => {
    void sandbox.stopListening();
    // Without a listener, only this timer keeps the process running.
    setTimeout(() => void sandbox.resumeListening(), body.data.forMs);
  });
  return write(reply, json(202, body.data, { connection: 'close' }));
}

/** Streams events as NDJSON. */
async function received(request: HttpRequest, reply: ServerResponse, sandbox: ControllableSandbox): Promise<void> {
  const query = receivedSchema.safeParse(Object.fromEntries(new URLSearchParams(request.query)));
  if (!query.success) {
    write(reply, json(400, { error: z.prettifyError(query.error) }));
    return;
  }
  const { limit = Number.POSITIVE_INFINITY, ...filter } = query.data;
  reply.writeHead(200, { 'content-type': 'application/x-ndjson' });
  try {
    await pipeline(chunks(sandbox.events(filter), limit), reply);
  } catch (error) {
    // The client may disconnect before the end.
    if (!reply.destroyed) throw error;
  }
}

/** Returns accepted events as an export of the vendor has them. */
function exported(request: HttpRequest, reply: ServerResponse, sandbox: Sandbox): void {
  const query = exportSchema.safeParse(Object.fromEntries(new URLSearchParams(request.query)));
  if (!query.success) return write(reply, json(400, { error: z.prettifyError(query.error) }));
  reply.writeHead(200, { 'content-type': 'application/octet-stream' });
  reply.end(vendorExport(query.data.target, sandbox.received(query.data)));
}

const CHUNK_CHARACTERS = 64 * 1024;

/** Yields up to `limit` events as lines, in large chunks. */
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
