import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { boundedBytes, boundedString } from '../bounds/bounded.js';
import { MAX_PEM_BYTES } from '../certificates/reading/pem.js';
import { parseInput } from '../http/input/validation.js';
import { isId } from '../ids/id.js';
import { invalidInput } from '../problems/problem.js';
import { kinds } from '../resources/building-blocks/kinds.js';
import type { ManagedCertificates } from '../resources/managed-certificates/managed-certificates.js';
import type { DataPlaneTurns } from './in-turn.js';
import { sessionReport, ttl } from './session-report.js';
import type { TunnelSessions } from './tunnel-sessions.js';

const renewal = z.strictObject({ ttl_seconds: ttl });

const pem = boundedBytes(MAX_PEM_BYTES).min(1);
const certificateReport = z.union([
  z.strictObject({ issued: z.strictObject({ certificate_pem: pem, private_key_pem: pem }) }),
  z.strictObject({ failed: z.strictObject({ message: boundedString(4_096).min(1) }) }),
]);

/** Whose turns reports of certificates take: the account of the name is not known yet. */
const CERTIFICATES = 'certificates';

const idParameter = z.object({ id: z.string() });

/** Adds the routes of the data-plane API. */
export function addRoutes(
  server: FastifyInstance,
  sessions: TunnelSessions,
  certificates: ManagedCertificates,
  { works, renewals }: DataPlaneTurns,
): void {
  server.put('/sessions/:id', async (request) => {
    const id = sessionId(request);
    const report = parseInput(sessionReport, request.body, 'body');
    return works(report.account_id, () => sessions.put(id, report));
  });

  server.put('/sessions/:id/lease', async (request) => {
    const { ttl_seconds: ttlSeconds } = parseInput(renewal, request.body, 'body');
    const id = sessionId(request);
    const expiresAt = await renewals(id, () => sessions.renew(id, ttlSeconds));
    return { id, expires_at: expiresAt.toISOString() };
  });

  server.delete('/sessions/:id', async (request, reply) => {
    const id = sessionId(request);
    const accountId = await renewals(id, () => sessions.accountOf(id));
    await works(accountId, () => sessions.end(id));
    return reply.code(204).send();
  });

  server.put('/certificates/:id', async (request, reply) => {
    const { id } = idParameter.parse(request.params);
    const report = parseInput(certificateReport, request.body, 'body');
    await works(CERTIFICATES, () => certificates.reportCertificate(id, report));
    return reply.code(204).send();
  });
}

/** Reads the session id, which the data plane chooses so that a repeated report is about the same session. */
function sessionId(request: FastifyRequest): string {
  const { id } = idParameter.parse(request.params);
  if (isId(kinds.tunnelSession.prefix, id)) return id;
  throw invalidInput([{ pointer: '{id}', detail: 'must be a TypeID with the prefix ts_' }]);
}
