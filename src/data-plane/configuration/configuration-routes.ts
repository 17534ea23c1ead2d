import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { boundedString } from '../../bounds/bounded.js';
import { parseInput } from '../../http/input/validation.js';
import { wholeNumberParameter } from '../../http/input/whole-number-parameter.js';
import { isId } from '../../ids/id.js';
import type { Logger } from '../../logging/logger.js';
import type { ConfigurationItem, ConfigurationReader } from './configuration-reader.js';
import { MAX_TOKEN_LENGTH, readToken } from './cursor.js';

/** Most resources of one response, and the default: each has at most 64 KiB, and its secrets. */
const MAX_PAGE = 100;
/** Longest wait for a change, in seconds: proxies end silent requests after a minute. */
const MAX_WAIT_SECONDS = 50;
/**
 * Interval between queries of a waiting request, in milliseconds. A notification of each change would serialise the
 * commits of all writers.
 */
const POLL_MS = 1_000;

const token = boundedString(MAX_TOKEN_LENGTH, 'must be given once').min(1);
const limit = wholeNumberParameter(1, MAX_PAGE).default(MAX_PAGE);

const accountId = boundedString(255, 'must be given once').refine((id) => isId('acct', id), {
  error: 'must be the id of an account',
});

const pageQuery = z
  .strictObject({ limit, page: token.optional(), account_id: accountId.optional() })
  .refine(({ page, account_id }) => page === undefined || account_id === undefined, {
    path: ['account_id'],
    error: 'is allowed on the first page only: the next pages are of the same account',
  });
const changesQuery = z.strictObject({
  limit,
  cursor: token,
  wait_seconds: wholeNumberParameter(0, MAX_WAIT_SECONDS).default(0),
});

/** Dependencies of the routes. */
export interface ConfigurationRoutes {
  readonly reader: ConfigurationReader;
  readonly logger: Logger;
  /** Reads when it is the turn of a reader of the configuration. */
  readonly inTurn: <Result>(read: () => Promise<Result>) => Promise<Result>;
  /** Aborts when the process stops: waiting requests end at once. */
  readonly stopped: AbortSignal;
}

/** Adds the routes that offer the configuration of the data plane, with its secrets. Each read is logged. */
export function addConfigurationRoutes(
  server: FastifyInstance,
  { reader, logger, inTurn, stopped }: ConfigurationRoutes,
): void {
  server.get('/configuration', async (request) => {
    const query = parseInput(pageQuery, request.query, 'query');
    const next = query.page === undefined ? null : readToken(query.page, 'page', '?page');
    const page = await inTurn(() =>
      next === null ? reader.firstPage(query.account_id ?? null, query.limit) : reader.nextPage(next, query.limit),
    );
    logRead(logger, request, 'page', page.resources);
    return page;
  });

  server.get('/configuration/changes', async (request, reply) => {
    const query = parseInput(changesQuery, request.query, 'query');
    const cursor = readToken(query.cursor, 'changes', '?cursor');
    const read = () => inTurn(() => reader.changes(cursor, query.limit));
    let found = await read();
    if (found.changes.length === 0 && query.wait_seconds > 0) {
      const hasChanges = () => inTurn(() => reader.hasChanges(cursor));
      await waitForChange(hasChanges, query.wait_seconds * 1_000, AbortSignal.any([stopped, closed(reply)]));
      found = await read();
    }
    logRead(logger, request, 'changes', found.changes);
    return found;
  });
}

/** Records who read which secrets: one line for each read, with ids and without secrets. */
function logRead(
  logger: Logger,
  { id, ip }: FastifyRequest,
  read: 'page' | 'changes',
  items: readonly ConfigurationItem[],
): void {
  const withSecrets = items.filter(({ secrets }) => Object.keys(secrets).length > 0);
  logger.info(
    {
      operation_id: id,
      ip,
      read,
      resources: items.length,
      accounts: [...new Set(items.map(({ account_id }) => account_id))],
      secrets_of: withSecrets.map((item) => item.id),
    },
    'configuration read',
  );
}

/** Resolves when there are changes, after `waitMs`, or when `stopped` aborts. */
async function waitForChange(hasChanges: () => Promise<boolean>, waitMs: number, stopped: AbortSignal): Promise<void> {
  const end = performance.now() + waitMs;
  for (;;) {
    const left = end - performance.now();
    if (left <= 0 || stopped.aborted) return;
    await sleep(Math.min(POLL_MS, left), undefined, { signal: stopped }).catch(() => {});
    if (stopped.aborted || (await hasChanges())) return;
  }
}

/** Aborts when the client closes its connection. */
function closed(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => controller.abort());
  return controller.signal;
}
