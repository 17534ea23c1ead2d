import { hash } from 'node:crypto';
import { canonicalJson } from '@waybill/verify';
import { MAX_ERRORS } from '../../../http/problems/input-errors.js';
import { Problem, type InputError } from '../../../problems/problem.js';
import { DeadlineThread, ThreadTimeout } from '../../../timing/deadline-thread.js';
import { Turns } from '../../../timing/turns.js';
import type { JsonObject } from '../../envelope/json-object.js';
import type { SchemaResult, SchemaTask, SchemaText } from './schema-tasks.js';
import { SCHEMA_THREAD } from './schema-thread-url.js';

/**
 * Threads of a process. An account has a turn in one of them at a time, so that one that keeps a thread busy leaves the
 * other one to the others.
 */
const THREADS = 2;
const TASK_TURNS = {
  turns: THREADS,
  shares: [{ alone: 1 / THREADS, among: 1 / THREADS }],
  waiting: [10_000, 1_000],
  waitMs: 10_000,
};
/** Longest task of a thread, in milliseconds. The bounds of schemas allow a tenth of it on a quiet machine. */
const LIMIT_MS = 5_000;
/** Longest check of a batch with its waits for turns, in milliseconds. */
const LONGEST_CHECK_MS = 10_000;
/** Most schemas that a thread compiles for one batch. */
const MOST_COMPILED = 20;
/** Characters of JSON in one task, beside its last object. */
const TASK_CHARACTERS = 65_536;
/** Memory of a thread. */
const MEMORY = { maxOldGenerationSizeMb: 192 };

/** An object of a batch, with the schema that it has to match. */
export interface CheckedObject {
  readonly schema: SchemaText;
  readonly object: JsonObject;
}

/** Returns a schema as threads take it: equal schemas have the same key. */
export function schemaTextOf(schema: JsonObject): SchemaText {
  const text = canonicalJson(schema);
  return { key: hash('sha256', text, 'base64'), text };
}

/**
 * Compiles the schemas of resource types, and checks objects with them, in threads with a deadline: what that takes
 * depends on what accounts send, and the event loop serves all of them. Accounts take turns.
 */
export class ObjectSchemas {
  private readonly idle: DeadlineThread<SchemaTask, SchemaResult>[];
  private readonly all: readonly DeadlineThread<SchemaTask, SchemaResult>[];
  private readonly turns = new Turns(TASK_TURNS);

  /**
   * @param limitMs longest task
   * @param script the code of a thread
   */
  constructor(limitMs: number = LIMIT_MS, script: URL = SCHEMA_THREAD) {
    const settings = { script, limitMs, memory: MEMORY };
    this.all = Array.from({ length: THREADS }, () => new DeadlineThread<SchemaTask, SchemaResult>(settings));
    this.idle = [...this.all];
  }

  /**
   * Returns why a resource type cannot have a schema; nothing when it can.
   * @throws Problem `unavailable` when too many requests wait
   */
  async schemaErrors(accountId: string, schema: JsonObject): Promise<readonly InputError[]> {
    const { key } = schemaTextOf(schema);
    try {
      const result = await this.run(accountId, { kind: 'schema', schema: { key, text: JSON.stringify(schema) } });
      return result.kind === 'schema' ? result.errors : [];
    } catch (error) {
      if (error instanceof ThreadTimeout) return [{ pointer: '', detail: 'takes too long to compile' }];
      throw error;
    }
  }

  /**
   * Returns the first error of each object, or null; after many errors, of the first objects only.
   * @throws Problem `unavailable` when too many requests wait, and when the check takes too long
   */
  async objectErrors(accountId: string, objects: readonly CheckedObject[]): Promise<readonly (InputError | null)[]> {
    const end = performance.now() + LONGEST_CHECK_MS;
    const found: (InputError | null)[] = [];
    let compiled = 0;
    let errors = 0;
    while (found.length < objects.length && errors < MAX_ERRORS) {
      if (compiled >= MOST_COMPILED)
        throw unavailable(
          `The events have more than ${MOST_COMPILED} schemas that were not in use. Those are ready now.`,
        );
      if (performance.now() > end) throw unavailable('The check of the events by their schemas took too long.');
      const result = await this.checkNext(accountId, objects, found.length);
      compiled += result.compiled;
      errors += result.errors.filter((error) => error !== null).length;
      found.push(...result.errors);
    }
    return found;
  }

  /** Ends the threads. */
  async close(): Promise<void> {
    await Promise.all(this.all.map((thread) => thread.close()));
  }

  private async checkNext(accountId: string, objects: readonly CheckedObject[], from: number) {
    const task = taskOf(objects, from);
    try {
      const result = await this.run(accountId, task);
      if (result.kind === 'objects') return result;
      throw new Error('A thread of schemas confused two tasks.');
    } catch (error) {
      if (!(error instanceof ThreadTimeout)) throw error;
      throw unavailable('The check of an event by its schema took too long.');
    }
  }

  /** Runs a task in a turn of the account. @throws Problem `unavailable`, ThreadTimeout */
  private async run(accountId: string, task: SchemaTask): Promise<SchemaResult> {
    const turn = await this.turns.take([accountId]);
    if (!turn) throw unavailable('Too many requests wait for the check of schemas.');
    // The first one, which has compiled most, unless it is busy. There are as many as turns.
    const thread = this.all.find((one) => this.idle.includes(one));
    if (!thread) throw new Error('No thread of schemas is idle.');
    this.idle.splice(this.idle.indexOf(thread), 1);
    try {
      return await thread.run(task);
    } catch (error) {
      if (error instanceof ThreadTimeout) throw error;
      // Such as one without memory: the next task starts another one.
      throw unavailable('The thread that checks schemas failed.', error);
    } finally {
      this.idle.push(thread);
      turn.end();
    }
  }
}

/** Returns a task for the objects from an index on. */
function taskOf(objects: readonly CheckedObject[], from: number): SchemaTask {
  const schemas = new Map<string, SchemaText>();
  const indexes = new Map<string, number>();
  const pairs: string[] = [];
  let characters = 0;
  for (let index = from; index < objects.length && characters < TASK_CHARACTERS; index += 1) {
    const one = objects[index];
    if (!one) break;
    const { schema, object } = one;
    if (!schemas.has(schema.key)) {
      indexes.set(schema.key, schemas.size);
      schemas.set(schema.key, schema);
    }
    const pair = `[${indexes.get(schema.key)},${JSON.stringify(object)}]`;
    characters += pair.length;
    pairs.push(pair);
  }
  return { kind: 'objects', schemas: [...schemas.values()], objects: `[${pairs.join(',')}]` };
}

function unavailable(reason: string, cause?: unknown): Problem {
  const detail = `${reason} Nothing was stored. Retry.`;
  return new Problem('unavailable', detail, { retryAfterSeconds: 1, cause });
}
