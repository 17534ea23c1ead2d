import { Readable, Writable } from 'node:stream';
import { Body, Controller, Delete, Get, Module, Param, Patch, Post, type DynamicModule } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { pino } from 'pino';
import { z } from 'zod';
import { accountProviders } from '../../src/accounts/accounts.providers.js';
import { TokenStore } from '../../src/accounts/token-store.js';
import { hashToken, keyIdOf, mintToken } from '../../src/accounts/token.js';
import { boundedMap, boundedString } from '../../src/bounds/bounded.js';
import { readConfig } from '../../src/config/config.js';
import { processProviders } from '../../src/config/config.providers.js';
import { databaseProviders } from '../../src/database/database.providers.js';
import type { Store } from '../../src/database/store.js';
import { HEALTH, type Health } from '../../src/http/health/health.js';
import { httpControllers, httpProviders } from '../../src/http/http.providers.js';
import { QueryParameters } from '../../src/http/input/query-parameters.js';
import { describable, describableInput } from '../../src/http/input/text.js';
import { Operation } from '../../src/http/openapi/operation.js';
import { Context, type RequestContext } from '../../src/http/request/request-context.js';
import { REQUEST_OBSERVER } from '../../src/http/request/request-observer.js';
import { requireMatch, Versioned } from '../../src/http/response/etag.js';
import { page, pageParametersOf, pageSchema, type Page, type PageQuery } from '../../src/http/response/pagination.js';
import { ADDED_ROUTES } from '../../src/http/server/added-routes.js';
import { createApi } from '../../src/http/server/create-api.js';
import { newId } from '../../src/ids/id.js';
import { Lifecycle } from '../../src/lifecycle/lifecycle.js';
import { provide } from '../../src/lifecycle/provide.js';
import { notFound, Problem } from '../../src/problems/problem.js';
import { secretsProviders } from '../../src/secrets/secrets.providers.js';
import { describeApi } from '../../tools/openapi/document/describe-api.js';
import { testSecretsKeys } from '../support/secrets.js';

const noteSchema = z
  .object({ id: z.string(), uri: z.string(), title: z.string(), ...describable })
  .meta({ id: 'Note', description: 'A note.' });
type Note = z.infer<typeof noteSchema>;

/** Returns the note in a response. */
export async function noteIn(response: Response): Promise<Note> {
  return noteSchema.parse(await response.json());
}

const newNote = z.strictObject({
  title: boundedString(20).min(1),
  kind: z.union([z.strictObject({ color: z.enum(['red', 'blue']) }), z.literal('plain')]).optional(),
  labels: boundedMap(boundedString(100), 20, 'labels').optional(),
  ...describableInput,
});

const listQuery = z.strictObject(pageParametersOf('note'));

/** The stored notes and the requests for them, for the tests to inspect. */
export class Notebook {
  readonly notes = new Map<string, Note & { version: number }>();
  created = 0;
  /** Creations wait for this promise. */
  gate: Promise<void> = Promise.resolve();
  /** Called with the title of each creation before it waits, and with `search` for a costly search. */
  begins: (title: string) => void = () => {};
  failure: unknown = null;
  lastContext: RequestContext | null = null;

  /** Blocks creations until the returned function is called. */
  hold(): () => void {
    let open: (() => void) | undefined;
    this.gate = new Promise((resolve) => {
      open = resolve;
    });
    return () => open?.();
  }
}

function controllerOf(notebook: Notebook) {
  @Controller('/notes')
  class NotesController {
    @Post()
    @Operation({
      id: 'createNote',
      access: 'change',
      summary: 'Write a note',
      tag: 'Notes',
      status: 201,
      response: noteSchema,
      versioned: true,
    })
    async create(
      @Context() context: RequestContext,
      @Body({ schema: newNote }) body: z.infer<typeof newNote>,
    ): Promise<Versioned> {
      notebook.begins(body.title);
      await notebook.gate;
      if (notebook.failure !== null) throw notebook.failure;
      notebook.lastContext = context;
      notebook.created += 1;
      const id = newId('note');
      const note = {
        id,
        uri: `${context.baseUrl}/notes/${id}`,
        title: body.title,
        description: body.description ?? null,
        metadata: body.metadata ?? null,
      };
      notebook.notes.set(id, { ...note, version: 1 });
      return new Versioned(note, 1);
    }

    @Get()
    @Operation({
      id: 'listNotes',
      access: 'read',
      summary: 'List notes',
      tag: 'Notes',
      response: pageSchema('notes', noteSchema),
    })
    list(@Context() { baseUrl }: RequestContext, @QueryParameters(listQuery) query: PageQuery): Page {
      const { limit, before_id: before } = query;
      const items = [...notebook.notes.values()]
        .toSorted((a, b) => (a.id < b.id ? 1 : -1))
        .filter(({ id }) => before === undefined || id < before)
        .slice(0, limit + 1)
        .map(({ version: _version, ...note }) => note);
      return page({ items, limit, listKey: 'notes', path: '/notes', baseUrl });
    }

    @Get(':id')
    @Operation({
      id: 'getNote',
      access: 'read',
      summary: 'Read a note',
      tag: 'Notes',
      response: noteSchema,
      versioned: true,
    })
    get(@Param('id') id: string): Versioned {
      const { version, ...note } = this.find(id);
      return new Versioned(note, version);
    }

    @Patch(':id')
    @Operation({
      id: 'updateNote',
      access: 'change',
      summary: 'Change a note',
      tag: 'Notes',
      response: noteSchema,
      versioned: true,
    })
    update(
      @Context() context: RequestContext,
      @Param('id') id: string,
      @Body({ schema: newNote.partial() }) body: Partial<z.infer<typeof newNote>>,
    ): Versioned {
      const { version, ...note } = this.find(id);
      requireMatch(context.ifMatch, version);
      const after = { ...note, title: body.title ?? note.title };
      notebook.notes.set(id, { ...after, version: version + 1 });
      return new Versioned(after, version + 1);
    }

    @Delete(':id')
    @Operation({
      id: 'deleteNote',
      access: 'change',
      summary: 'Delete a note',
      tag: 'Notes',
      status: 204,
      errors: ['still_referenced'],
    })
    remove(@Param('id') id: string): void {
      this.find(id);
      throw new Problem('still_referenced', 'Another note refers to it.', {
        conflicts: ['note_other'],
      });
    }

    @Get('public/hello')
    @Operation({
      id: 'hello',
      access: 'public',
      summary: 'Greet',
      tag: 'Notes',
      response: z.object({ hello: z.string() }),
    })
    hello(): { hello: string } {
      return { hello: 'world' };
    }

    @Get('costly/search')
    @Operation({ id: 'searchNotes', access: 'read', summary: 'Search', tag: 'Notes', costly: 'always' })
    async search(): Promise<void> {
      notebook.begins('search');
      await notebook.gate;
    }

    @Get('file/now')
    @Operation({ id: 'readFile', access: 'read', summary: 'Read a file', tag: 'Notes', files: ['text/plain'] })
    async file(): Promise<Readable> {
      notebook.begins('file');
      await notebook.gate;
      return Readable.from(['text']);
    }

    @Get('failing/now')
    @Operation({ id: 'fail', access: 'read', summary: 'Fail', tag: 'Notes' })
    fail(): never {
      throw notebook.failure;
    }

    private find(id: string): Note & { version: number } {
      const note = notebook.notes.get(id);
      if (!note) throw notFound('note', id);
      return note;
    }
  }
  return NotesController;
}

/** Root module: the dependencies of HTTP, and the notes instead of the families. */
@Module({})
class NotesModule {
  static with(notebook: Notebook, health: Health, ...process: Parameters<typeof processProviders>): DynamicModule {
    return {
      module: NotesModule,
      controllers: [controllerOf(notebook), ...httpControllers],
      providers: [
        ...processProviders(...process),
        ...databaseProviders,
        ...secretsProviders,
        ...accountProviders,
        ...httpProviders,
        provide(HEALTH, [], () => health),
        provide(REQUEST_OBSERVER, [], () => null),
        provide(ADDED_ROUTES, [], () => []),
      ],
    };
  }
}

/** A running API on a free local port, with an admin's API key. */
export interface RunningApi {
  readonly app: NestFastifyApplication;
  readonly origin: string;
  readonly token: string;
  readonly keyId: string;
  readonly accountId: string;
  readonly ownerId: string;
  readonly notebook: Notebook;
  /** Every log line so far, parsed. */
  readonly log: Record<string, unknown>[];
  /** Sends a request with the key and the version header; undefined in `headers` removes a header. */
  fetch(path: string, request?: TestRequest): Promise<Response>;
  close(): Promise<void>;
}

/** A request of a test. `json` is the body as JSON. */
export interface TestRequest {
  readonly method?: string;
  readonly json?: unknown;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

/** Settings of a test API. */
export interface ApiSetup {
  readonly environment?: Record<string, string>;
  readonly health?: Health;
}

/** Starts the API of the notes over a store. */
export async function startNotes(store: Store, setup: ApiSetup = {}): Promise<RunningApi> {
  const log: Record<string, unknown>[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      log.push(z.record(z.string(), z.unknown()).parse(JSON.parse(String(chunk))));
      done();
    },
  });
  const config = readConfig({
    DATABASE_URL: store.connectionString,
    SECRETS_KEYS: testSecretsKeys,
    MAX_BODY_BYTES: '20000',
    RATE_LIMIT_PER_MINUTE: '0',
    ...setup.environment,
  });
  const notebook = new Notebook();
  const owner = await addOwner(store, 'user', { name: 'admin', admin: true });
  const health = setup.health ?? {
    stallReason: () => null,
    clientsNotLoaded: () => ({}),
    stopping: () => false,
    stores: {},
  };
  const lifecycle = new Lifecycle();
  const logger = pino({ level: 'info' }, sink);
  const root = NotesModule.with(notebook, health, config, logger, lifecycle);
  const app = await createApi(root, config, logger, lifecycle, (of) => JSON.stringify(describeApi(of)));
  await app.listen(0, '127.0.0.1');
  const origin = await app.getUrl();
  const fetchNotes = (path: string, { json, headers, ...request }: TestRequest = {}): Promise<Response> => {
    const all: Record<string, string | undefined> = {
      authorization: `Bearer ${owner.token}`,
      'service-version': '2',
      ...(json !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    };
    const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return fetch(`${origin}${path}`, {
      ...request,
      ...(json !== undefined && { body: JSON.stringify(json) }),
      headers: given,
    });
  };
  return { app, origin, ...owner, notebook, log, fetch: fetchNotes, close: () => lifecycle.close() };
}

/** An account and one of its users or bots. */
export interface Owner {
  readonly accountId: string;
  readonly ownerId: string;
}

/**
 * Adds a user or bot that owns a key.
 * @param beside its account; left out: a new account
 */
export async function addOwner(
  store: Store,
  kind: 'user' | 'bot_user',
  attributes: Record<string, unknown>,
  beside?: Owner,
): Promise<Owner & { readonly token: string; readonly keyId: string }> {
  const accountId = beside?.accountId ?? newId('acct');
  const ownerId = newId(kind === 'user' ? 'usr' : 'bot');
  const now = new Date();
  const times = { created_at: now, updated_at: now };
  if (!beside) await store.db.insertInto('accounts').values({ id: accountId, name: 'test' }).execute();
  await store.db
    .insertInto('resources')
    .values({
      id: ownerId,
      account_id: accountId,
      parent_id: null,
      kind,
      attributes: JSON.stringify(attributes),
      ...times,
    })
    .execute();
  const token = await addKey(store, { accountId, ownerId });
  return { accountId, ownerId, token, keyId: keyIdOf(token) ?? '' };
}

/** Adds a key of a user or bot and returns its token. */
export async function addKey(store: Store, { accountId, ownerId }: Owner): Promise<string> {
  const keyId = newId('ak');
  const token = mintToken(keyId);
  const row = { account_id: accountId, parent_id: null, created_at: new Date(), updated_at: new Date() };
  const attributes = JSON.stringify({ owner_id: ownerId });
  await store.db
    .insertInto('resources')
    .values({ ...row, id: keyId, kind: 'api_key', attributes })
    .execute();
  await new TokenStore(store.db).insert({ keyId, accountId, ownerId, tokenHash: hashToken(token), role: 'admin' });
  return token;
}
