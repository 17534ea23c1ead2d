import { z } from 'zod';
import { boundedString, boundedTime } from '../bounds/bounded.js';
import { erasureKinds } from '../events/catalogue/erasure-event.js';
import { eventFilter } from '../events/log/event-filter.js';
import { storeResponses } from '../http/idempotency/idempotency-store.js';
import type { RequestContext } from '../http/request/request-context.js';
import type { FileResponse } from '../http/response/file-response.js';
import { assertCursor, page, type Page, type PageQuery } from '../http/response/pagination.js';
import { notFound } from '../problems/problem.js';
import type { LogReader } from '../proof/log-reader.js';
import type { KeyRing } from '../secrets/key-ring.js';
import { sealErasure } from './erasure-seal.js';
import { ERASURE_PREFIX, type Erasure, type ErasureStore, type ErasureSubject } from './erasure-store.js';

/** Path of the erasures. */
export const ERASURES_PATH = '/erasures';

/** Records that are read at once. */
const RECORDS_OF_PAGE = 20;

const { object_id: objectId, principal_id: principalId, type } = eventFilter.shape;

/** A request to erase events. */
export const erasureRequest = z
  .strictObject({
    object_id: objectId.meta({ description: 'Erases the events of this resource.' }),
    type: type.meta({
      description: 'With `object_id`: only events of these types, where other resources have the id.',
    }),
    principal_id: principalId.meta({
      description: 'Erases the events of changes by this user, bot or principal of a publisher.',
    }),
    account: z.boolean().default(false).meta({ description: 'Erases the events of the whole account.' }),
    to: boundedTime.optional().meta({
      description:
        'Only events that were recorded before this time. Default, and latest: behind the newest event at the request, and at most two seconds after the request.',
    }),
    reason: boundedString(500).min(1, 'must not be empty').meta({
      description: 'Why. It is in the events about the erasure, which are never erased: name no person.',
    }),
  })
  .superRefine((request, context) => {
    const given = [request.object_id !== undefined, request.principal_id !== undefined, request.account];
    if (given.filter(Boolean).length !== 1)
      context.addIssue({ code: 'custom', message: 'must have exactly one of object_id, principal_id and account' });
    if (request.type !== undefined && request.object_id === undefined)
      context.addIssue({ code: 'custom', path: ['type'], message: 'is allowed only with object_id' });
  });

export type ErasureRequest = z.infer<typeof erasureRequest>;

/** An erasure in a response. */
export const erasureSchema = z
  .object({
    id: z.string().meta({ description: 'Id of the erasure.', example: 'ers_01m7ywh8r1fkb9f0w6y9a3c2dz' }),
    uri: z.string().meta({ description: 'Address of the erasure.' }),
    state: z.enum(['running', 'finished', 'failed']).meta({
      description:
        '`finished`: every event that was named is erased. `failed`: the request or its numbers were changed in the database. An erasure cannot be cancelled.',
    }),
    kind: z.enum(erasureKinds).meta({ description: 'What was named.' }),
    subject_id: z.string().nullable().meta({
      description: 'Id of the resource or the principal. Null when the erasure is finished: it is erased too.',
    }),
    type: z.array(z.string()).meta({ description: 'Types of the events. Empty: all.' }),
    to: z.iso.datetime().meta({ description: 'Events recorded before this time.' }),
    reason: z.string(),
    events_erased: z.int().meta({ description: 'Number of events that are erased so far.' }),
    events_waiting: z.int().nullable().meta({
      description:
        'Number of events that wait for a delivery, and are erased when it has ended. Null before all events were looked at.',
    }),
    requested_by: z
      .object({ id: z.string(), subject: z.string() })
      .meta({ description: 'The user or bot who requested it, and their name at that time.' }),
    created_at: z.iso.datetime().meta({ description: 'When the erasure was requested.' }),
    finished_at: z.iso.datetime().nullable().meta({ description: 'When it was finished, or failed. Null before.' }),
  })
  .meta({ id: 'Erasure', description: 'The removal of what Waybill stores of events.' });

export type ErasureResponse = z.infer<typeof erasureSchema>;

/** Requests and shows erasures, and reads the records of logs. */
export class Erasures {
  constructor(
    private readonly store: ErasureStore,
    private readonly ring: KeyRing,
    private readonly logs: Pick<LogReader, 'log'>,
  ) {}

  /** Requests an erasure. */
  async create(context: RequestContext, request: ErasureRequest): Promise<ErasureResponse> {
    const { accountId, principal, baseUrl, reservation } = context;
    const to = request.to === undefined ? null : new Date(request.to);
    const { reason } = request;
    const erasure = await this.store.create(
      { accountId, ...subjectOf(request), to, reason, principal },
      (row) => sealErasure(this.ring, row),
      (trx, row) => storeResponses(trx, [reservation?.sealed({ status: 201, body: toResponse(row, baseUrl) })]),
    );
    return toResponse(erasure, baseUrl);
  }

  /** Returns a page of the erasures of the account, newest first. @throws Problem `invalid_input` for a cursor */
  async list({ accountId, baseUrl }: RequestContext, { limit, before_id: beforeId }: PageQuery): Promise<Page> {
    assertCursor(ERASURE_PREFIX, beforeId);
    const found = await this.store.page(accountId, limit + 1, beforeId);
    const items = found.map((erasure) => toResponse(erasure, baseUrl));
    return page({ items, limit, listKey: 'erasures', path: ERASURES_PATH, baseUrl });
  }

  /** Returns an erasure. @throws Problem `not_found` */
  async get({ accountId, baseUrl }: RequestContext, id: string): Promise<ErasureResponse> {
    const erasure = await this.store.find(accountId, id);
    if (!erasure) throw notFound('erasure', id);
    return toResponse(erasure, baseUrl);
  }

  /** Returns the erasure records of a log, one after the other. @throws Problem `not_found` */
  async records(accountId: string, destinationId: string, epoch: string): Promise<FileResponse> {
    const { id } = await this.logs.log(accountId, destinationId, epoch);
    const content = this.notes(id);
    return { name: 'erasures', mediaType: 'text/plain; charset=utf-8', content, headers: {} };
  }

  private async *notes(logId: number): AsyncIterable<string> {
    for (let after: number | undefined = 0; after !== undefined;) {
      const records = await this.store.records(logId, after, RECORDS_OF_PAGE);
      yield records.map(({ note }) => note).join('');
      after = records.length < RECORDS_OF_PAGE ? undefined : records.at(-1)?.id;
    }
  }
}

function subjectOf({ object_id: object, principal_id: principal, type: types = [] }: ErasureRequest): ErasureSubject {
  if (object !== undefined) return { kind: 'object', subject_id: object, types };
  if (principal !== undefined) return { kind: 'principal', subject_id: principal, types: [] };
  return { kind: 'account', subject_id: null, types: [] };
}

function toResponse(erasure: Erasure, baseUrl: string): ErasureResponse {
  const { id, kind, reason, types } = erasure;
  return {
    id,
    uri: `${baseUrl}${ERASURES_PATH}/${id}`,
    state: erasure.state === 'finished' || erasure.state === 'failed' ? erasure.state : 'running',
    kind,
    subject_id: erasure.subject_id,
    type: [...types],
    to: erasure.to_time.toISOString(),
    reason,
    events_erased: erasure.erased,
    events_waiting: erasure.waiting,
    requested_by: { id: erasure.principal_id, subject: erasure.principal_subject },
    created_at: erasure.created_at.toISOString(),
    finished_at: erasure.finished_at?.toISOString() ?? null,
  };
}
